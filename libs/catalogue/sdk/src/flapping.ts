import { type Chaos, type Kind, type KubeObject, kinds, type Pod } from "@microremed/cluster";
import type { Flap } from "@microremed/contracts";
import { selectorText } from "./environment/selectors.ts";
import type { FaultContext } from "./fault.ts";

/** Chaos Mesh labels what a Schedule makes with its name. */
const madeBy = "managed-by";

/** When a Schedule begins its experiments. */
export interface Rhythm {
  /** From one beginning to the next. */
  readonly everySeconds: number;
  /** How long each lasts; absent: it does one thing and is done. */
  readonly durationSeconds?: number;
}

/** The rhythm of a fault that comes and goes. */
export const rhythmOf = ({ onSeconds, offSeconds }: Flap): Rhythm => ({
  everySeconds: onSeconds + offSeconds,
  durationSeconds: onSeconds,
});

/**
 * A Schedule of Chaos Mesh, whose experiments come and go on the cluster's clock. They stay with the pods that are given, so that new
 * pods end the fault, as with one that stays.
 */
export function scheduleOf(
  kind: Kind<Chaos>,
  metadata: KubeObject["metadata"],
  spec: Readonly<Record<string, unknown>>,
  { everySeconds, durationSeconds }: Rhythm,
): KubeObject {
  return {
    ...kinds.chaosSchedule,
    metadata,
    spec: {
      schedule: `@every ${everySeconds}s`,
      type: kind.kind,
      historyLimit: 1,
      // One that does one thing tries it until it can: the next must not wait for it, for it tries ever more seldom.
      concurrencyPolicy: durationSeconds === undefined ? "Allow" : "Forbid",
      [blockOf(kind.kind)]: {
        ...spec,
        ...(durationSeconds !== undefined && { duration: `${durationSeconds}s` }),
      },
    },
  };
}

/** `IOChaos` -> `ioChaos`: the field of a Schedule that holds the experiment. */
const blockOf = (kind: string): string =>
  kind.replace(/^[A-Z]+(?=[A-Z][a-z])|^[A-Z]/, (head) => head.toLowerCase());

/** The experiments that a Schedule has made and that are there still, the latest last. */
export async function scheduled(
  { cluster }: Pick<FaultContext, "cluster">,
  kind: Kind<Chaos>,
  { namespace, name }: { readonly namespace: string; readonly name: string },
): Promise<readonly Chaos[]> {
  const made = await cluster.list(kind, { namespace, labelSelector: `${madeBy}=${name}` });
  const at = ({ metadata }: Chaos): string => metadata.creationTimestamp ?? "";
  return made.toSorted((a, b) => (at(a) < at(b) ? -1 : 1));
}

/** The one pod of a target that a fault which comes and goes stays with: the first by name of those that are not ending. */
export async function podToHit(
  { cluster, namespace }: Pick<FaultContext, "cluster" | "namespace">,
  labels: Readonly<Record<string, string>>,
): Promise<string | undefined> {
  const pods: readonly Pod[] = await cluster.list(kinds.pod, {
    namespace,
    labelSelector: selectorText(labels),
  });
  const names = pods.flatMap(({ metadata }) =>
    metadata.deletionTimestamp === undefined ? [metadata.name] : [],
  );
  return names.toSorted()[0];
}
