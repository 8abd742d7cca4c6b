import {
  isActive,
  isAvailable,
  isReady,
  isTerminating,
  type KubeObject,
  readySince,
} from "@microremed/sim-objects";
import { intOrPercent } from "./int-or-percent.ts";
import { revisionOfPod } from "./stateful-set-pods.ts";

/** A DaemonSet, the nodes that it has to run on, and its pods. */
export interface DaemonSetState {
  readonly set: KubeObject;
  readonly nodes: readonly string[];
  readonly pods: readonly KubeObject[];
  /** Revision of the template as it is now. */
  readonly revision: string;
}

export interface DaemonSetUpdate {
  /** Pods of an older revision that make room for new ones now. */
  readonly replace: readonly KubeObject[];
  readonly status: object;
  /** Times after which a Ready pod becomes available without any change of it, ms. */
  readonly recheckMs: readonly number[];
}

/**
 * Which pods of an older revision go: all that are not available, and of the others as many as `maxUnavailable` leaves. A
 * node that waits for its pod counts as unavailable, too. Pods that come before the old ones go (`maxSurge`) are not simulated:
 * with it one pod at a time is replaced.
 */
export function daemonSetUpdate(
  { set, nodes, pods, revision }: DaemonSetState,
  now: number,
): DaemonSetUpdate {
  const minReady: number = set.spec.minReadySeconds ?? 0;
  const available = (pod: KubeObject): boolean => isAvailable(pod, minReady, now);
  const { type, rollingUpdate } = set.spec.updateStrategy ?? {};
  const most = Math.max(1, intOrPercent(rollingUpdate?.maxUnavailable ?? 1, nodes.length, "up"));
  let unavailable = 0;
  const [broken, candidates]: [KubeObject[], KubeObject[]] = [[], []];
  for (const node of nodes) {
    const own = pods.filter((pod) => pod.spec.nodeName === node && !isTerminating(pod));
    const [pod] = own;
    if (!pod || !available(pod)) unavailable += 1;
    if (pod && revisionOfPod(pod) !== revision) (available(pod) ? candidates : broken).push(pod);
  }
  const replace =
    type === "OnDelete" ? [] : [...broken, ...candidates.slice(0, Math.max(0, most - unavailable))];

  const active = pods.filter(isActive);
  const ready = active.filter(isReady);
  const usable = ready.filter(available);
  const updated = active.filter((pod) => revisionOfPod(pod) === revision);
  const left = ready.map((pod) => (readySince(pod) ?? now) + minReady * 1000 - now);
  const status = {
    currentNumberScheduled: active.length,
    desiredNumberScheduled: nodes.length,
    numberMisscheduled: 0,
    numberReady: ready.length,
    observedGeneration: set.metadata.generation,
    ...(updated.length > 0 && { updatedNumberScheduled: updated.length }),
    ...(usable.length > 0 && { numberAvailable: usable.length }),
    ...(usable.length < nodes.length && { numberUnavailable: nodes.length - usable.length }),
  };
  return { replace, status, recheckMs: left.filter((ms) => ms > 0) };
}
