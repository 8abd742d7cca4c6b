import type { KubeObject } from "./objects.ts";

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly lastTransitionTime?: string;
}

function conditionOf(object: KubeObject, type: string): Condition | undefined {
  return (object.status?.conditions as readonly Condition[] | undefined)?.find((each) => each.type === type);
}

/** Ready by its condition. A pod that is being deleted may still be. */
export function isReady(pod: KubeObject): boolean {
  return conditionOf(pod, "Ready")?.status === "True";
}

/** Whether the object is being deleted: its grace period or its finalizers have not ended. */
export function isTerminating(object: KubeObject): boolean {
  return object.metadata.deletionTimestamp !== undefined;
}

/** Whether all containers have ended for good. */
export function isFinished(pod: KubeObject): boolean {
  return pod.status?.phase === "Succeeded" || pod.status?.phase === "Failed";
}

/** Neither finished nor on its way out: counts against a controller's replicas. */
export function isActive(pod: KubeObject): boolean {
  return !isFinished(pod) && !isTerminating(pod);
}

/** Cluster time since which the pod is Ready, ms; undefined when it is not. */
export function readySince(pod: KubeObject): number | undefined {
  const ready = conditionOf(pod, "Ready");
  return ready?.status === "True" ? Date.parse(ready.lastTransitionTime ?? "") || 0 : undefined;
}

/** Ready for at least `minReadySeconds`. */
export function isAvailable(pod: KubeObject, minReadySeconds: number, now: number): boolean {
  const since = readySince(pod);
  return since !== undefined && (minReadySeconds === 0 || now - since >= minReadySeconds * 1000);
}

/** The most restarts of any container of the pod. */
export function restartsOf(pod: KubeObject): number {
  const statuses = (pod.status?.containerStatuses ?? []) as readonly { restartCount: number }[];
  return Math.max(0, ...statuses.map((status) => status.restartCount));
}
