import { isAvailable, isFinished, isTerminating, type KubeObject, readySince } from "@microremed/sim-objects";
import { ordinalOf, revisionOfPod } from "./stateful-set-pods.ts";

/** One thing to do for a StatefulSet. */
export type SetAction =
  | { readonly do: "create"; readonly ordinal: number }
  | { readonly do: "remove"; readonly pod: KubeObject }
  /** Reconcile again after `ms`. */
  | { readonly do: "recheck"; readonly ms: number };

export interface SetPlan {
  readonly actions: readonly SetAction[];
  /** Every wanted pod is there and none beyond: pods may be updated. */
  readonly settled: boolean;
}

export const partitionOf = (set: KubeObject): number =>
  set.spec.updateStrategy?.rollingUpdate?.partition ?? 0;
export const firstOf = (set: KubeObject): number => set.spec.ordinals?.start ?? 0;
const endOf = (set: KubeObject): number => firstOf(set) + (set.spec.replicas ?? 1);
const inOrder = (set: KubeObject): boolean => set.spec.podManagementPolicy !== "Parallel";

/** Brings the pods (sorted by ordinal) to the wanted number: missing ones from the lowest, then surplus from the highest. */
export function scalePlan(set: KubeObject, pods: readonly KubeObject[], now: number): SetPlan {
  const started = startMissing(set, pods, now);
  if (!started.settled) return started;
  const stopped = stopSurplus(set, pods);
  return { actions: [...started.actions, ...stopped.actions], settled: stopped.settled };
}

function startMissing(set: KubeObject, pods: readonly KubeObject[], now: number): SetPlan {
  const actions: SetAction[] = [];
  for (let ordinal = firstOf(set); ordinal < endOf(set); ordinal += 1) {
    const pod = pods.find((each) => ordinalOf(each) === ordinal);
    if (!pod) actions.push({ do: "create", ordinal });
    else if (isFinished(pod) && !isTerminating(pod)) actions.push({ do: "remove", pod });
    if (!inOrder(set)) continue;
    if (!pod) return { actions, settled: false };
    actions.push(...recheck(set, pod, now));
    if (!isHealthy(set, pod, now)) return { actions, settled: false };
  }
  return { actions, settled: true };
}

function stopSurplus(set: KubeObject, pods: readonly KubeObject[]): SetPlan {
  const isSurplus = (pod: KubeObject): boolean =>
    ordinalOf(pod) >= endOf(set) || ordinalOf(pod) < firstOf(set);
  const surplus = pods.filter(isSurplus).reverse();
  const leaving = inOrder(set) ? surplus.slice(0, 1) : surplus;
  return {
    actions: leaving.filter((pod) => !isTerminating(pod)).map((pod) => ({ do: "remove", pod })),
    settled: leaving.length === 0 || !inOrder(set),
  };
}

/** Replaces pods of another revision than `update` from the highest ordinal, one at a time. */
export function updatePlan(
  set: KubeObject,
  pods: readonly KubeObject[],
  update: string,
  now: number,
): readonly SetAction[] {
  if (set.spec.updateStrategy?.type === "OnDelete") return [];
  const actions: SetAction[] = [];
  for (const pod of [...pods].reverse()) {
    if (ordinalOf(pod) - firstOf(set) < partitionOf(set)) return actions;
    if (revisionOfPod(pod) !== update && !isTerminating(pod)) return [...actions, { do: "remove", pod }];
    actions.push(...recheck(set, pod, now));
    if (!isHealthy(set, pod, now)) return actions;
  }
  return actions;
}

function isHealthy(set: KubeObject, pod: KubeObject, now: number): boolean {
  const minReady: number = set.spec.minReadySeconds ?? 0;
  return pod.status?.phase === "Running" && !isTerminating(pod) && isAvailable(pod, minReady, now);
}

/** A Ready pod becomes available without any change of it. */
function recheck(set: KubeObject, pod: KubeObject, now: number): readonly SetAction[] {
  const since = readySince(pod);
  const ms = since === undefined ? 0 : since + (set.spec.minReadySeconds ?? 0) * 1000 - now;
  return ms > 0 ? [{ do: "recheck", ms }] : [];
}
