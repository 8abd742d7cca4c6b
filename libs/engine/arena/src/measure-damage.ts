import { customKinds, type Environment, targetOf, truthOf, workloadOfPod } from "@microremed/catalogue";
import { kinds } from "@microremed/cluster";
import type { Damage, FurtherFault, InjectionEvidence } from "@microremed/contracts";
import {
  type ArenaRecord,
  changesOutside,
  compareArena,
  identityOf,
  type KnownStores,
  knownVolumes,
  type MountedVolume,
  markOf,
  objectsWithNoise,
  readArena,
  readMark,
  readOutside,
  readRecord,
  recordedFor,
  withInsides,
  withoutRewritten,
  writeMark,
} from "@microremed/inventory";
import type { Incident } from "@microremed/verification";
import type { ArenaContext } from "./arena.ts";

/**
 * Notes what the fault itself has changed, so that it is not taken for the remedy's doing later. `stores`: what servers of
 * datastores had in force before.
 */
export async function markInjected(
  { cluster, namespace, lease, catalogue, environment }: ArenaContext,
  stores: KnownStores,
  { failure, target, parameters, flap, further = [] }: Incident,
  proven: Pick<InjectionEvidence, "injectedAt" | "expiresAt" | "nodes">,
  proofs: readonly Pick<InjectionEvidence, "injectedAt" | "expiresAt">[] = [],
): Promise<void> {
  const { injectedAt, expiresAt, nodes = [] } = proven;
  const record = await readRecord(cluster, namespace);
  if (!record) return;
  const [read, outside] = await Promise.all([
    readArena(cluster, namespace, customKinds(environment)),
    readOutside(cluster),
  ]);
  const objects = { ...read, objects: withoutRewritten(record, read.objects) };
  const faults = [failure, ...further.map((one) => one.failure)].map(catalogue.faults.get);
  const slowed = [{ failure, target }, ...further].filter(
    (one) => catalogue.faults.get(one.failure).symptom === "disk",
  );
  // Counting files on a disk that the fault slows down takes minutes.
  const isSlow = ({ pod }: MountedVolume): boolean =>
    slowed.some(
      (one) => workloadOfPod(environment, pod.metadata.labels) === targetOf(environment, one.target)?.name,
    );
  // The fault's own programs may have started a moment ago.
  const arena = await withInsides(cluster, environment, objects, (volume) => !isSlow(volume), "all");
  const workloadOf = (one: FurtherFault): string[] => {
    const name = targetOf(environment, one.target)?.name;
    return name === undefined ? [] : [name];
  };
  const inResources = further.filter((one) => catalogue.faults.get(one.failure).resourcesMayDiffer);
  const injected = {
    hit: hitBy([{ failure, target, parameters }, ...further], catalogue, environment, record),
    failure,
    target,
    alsoFailed: further.flatMap(workloadOf),
    resourcesOf: inResources.flatMap(workloadOf),
    fence: lease.fence,
    injectedAt,
    expiresAt,
    further: proofs.map((one) => ({
      injectedAt: one.injectedAt,
      expiresAt: one.expiresAt,
      isOver: false,
    })),
    nodes: [...nodes],
    causes: [
      ...faults.flatMap(({ cause }) => cause ?? []),
      ...([flap, ...further.map((one) => one.flap)].some(Boolean) ? [kinds.chaosSchedule] : []),
    ],
  };
  await writeMark(
    cluster,
    namespace,
    markOf(injected, environment, { objects: objectsWithNoise(record) }, arena, outside, {
      ...stores,
      states: { ...stores.states, ...record.renewed },
    }),
  );
}

/**
 * Identities of what an incident is about: what is wrong, what suffers from it, and what is there for its faults alone.
 */
function hitBy(
  incident: readonly Pick<FurtherFault, "failure" | "target" | "parameters">[],
  { faults }: ArenaContext["catalogue"],
  environment: Environment,
  { setting }: ArenaRecord,
): ReadonlySet<string> {
  const truths = incident.map((one) => truthOf(faults.get(one.failure), environment, one));
  const named = truths.flatMap(({ objects, affected }) => [...objects, ...affected]);
  return new Set([
    ...named.map(({ kind, name }) => `${kind}/${name}`),
    ...(setting?.objects ?? []).map(identityOf),
  ]);
}

interface Failed {
  readonly failure: string;
  readonly target: string;
}

/**
 * What the remedies left changed, before anything is restored. It is kept with the mark: a restore that is tried again
 * finds what was there before it began. Null: the failure was never proven here.
 */
export async function measureDamage(
  { cluster, namespace, environment, catalogue, lease }: ArenaContext,
  record: ArenaRecord | undefined,
  { failure, target }: Failed,
): Promise<Damage | null> {
  const mark = await readMark(cluster, namespace, { failure, target, fence: lease.fence });
  if (!mark || !record) return null;
  if (mark.damage) return mark.damage;
  const [read, outside] = await Promise.all([
    readArena(cluster, namespace, customKinds(environment)),
    readOutside(cluster),
  ]);
  const objects = { ...read, objects: withoutRewritten(record, read.objects) };
  const arena = await withInsides(cluster, environment, objects, knownVolumes(environment, objects, mark));
  const expected = {
    environment,
    target: targetOf(environment, target)?.name,
    ...recordedFor(record, objects.objects),
    mark,
    resourcesMayDiffer: catalogue.faults.get(failure).resourcesMayDiffer === true,
  };
  const changes = [...compareArena(expected, arena), ...changesOutside(mark.outside, outside)];
  const damage = { changes: changes.slice(0, mostChanges) };
  await writeMark(cluster, namespace, { ...mark, damage });
  return damage;
}

const mostChanges = 100;
