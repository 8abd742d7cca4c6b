import {
  type Environment,
  type FaultContext,
  kinds,
  type Manifest,
  manifestOf,
  type Place,
  type TruthContext,
  targetOf,
  waitFor,
} from "@microremed/catalogue";

const kind = kinds.persistentVolumeClaim;

/** The claim that all pods of a workload share; undefined: it has none that the environment declares. */
export function claimNameOf(place: Place, environment: Environment): string | undefined {
  const names = Object.values(place.workload.volumes).flatMap((volume) =>
    volume.type === "claim" && !volume.perPod ? [volume.name] : [],
  );
  return names.find((name) => manifestOf(environment, kind, name) !== undefined);
}

interface Claim extends Manifest {
  readonly spec: object;
}

/** The claim of the target, as it is declared. Throws where there is none: it is no target then. */
export function declaredClaim({ environment, target, namespace }: TruthContext) {
  const place = targetOf(environment, target);
  const name = place && claimNameOf(place, environment);
  const manifest = name === undefined ? undefined : manifestOf(environment, kind, name);
  if (!manifest) throw new Error(`${environment.name} declares no claim of ${target}`);
  const { metadata, ...claim } = manifest as Claim;
  return { ...claim, metadata: { ...metadata, ...(namespace !== undefined && { namespace }) } };
}

/** Name of the volume that the claim asks for. There never was one of this name. */
export const volumeName = (context: TruthContext, prefix: string): string =>
  `${prefix}-${declaredClaim(context).metadata.name}`;

/** The claim as it is declared, but that it asks for a volume by name. */
export function pinnedClaim(context: TruthContext, prefix: string) {
  const { spec, ...claim } = declaredClaim(context);
  return { ...claim, spec: { ...spec, volumeName: volumeName(context, prefix) } };
}

/** Cluster time, ms: pods end first, or a volume is made. */
const withinMs = 120_000;

/** Waits until the claim of the target is gone, as what mounts it has ended, or until it has a volume. */
export async function awaitClaim(context: FaultContext, what: "to go" | "to be bound"): Promise<void> {
  const { cluster, namespace, signal } = context;
  const { name } = declaredClaim(context).metadata;
  await waitFor(
    {
      clock: cluster.clock,
      what: `the claim ${name} ${what}`,
      timeoutMs: withinMs,
      intervalMs: 500,
      ...(signal && { signal }),
    },
    async () => {
      const claim = await cluster.get(kind, namespace, name);
      const phase = (claim?.["status"] as { phase?: string } | undefined)?.phase;
      return (what === "to go" ? claim === undefined : phase === "Bound") || undefined;
    },
  );
}
