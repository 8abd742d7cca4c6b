import type { KubeObject } from "@microremed/cluster";

/** Of every kind the garbage collector takes these away by itself. */
const ofTheCollector = ["foregroundDeletion", "orphan"];
const ofClaims = "kubernetes.io/pvc-protection";

/** Whether an object that is being deleted will not go: it has a finalizer that no controller of the cluster takes away. */
export function isHeld({ kind, metadata: { finalizers = [] } }: KubeObject): boolean {
  return finalizers.some(
    (name) => !ofTheCollector.includes(name) && !(kind === "PersistentVolumeClaim" && name === ofClaims),
  );
}

/** s. A pod that was deleted goes within this time, whatever else is still to do. */
const longestEndSeconds = 120;

/** Whether a pod that was deleted may go on running long after a verdict. */
export function endsLate({ metadata }: KubeObject): boolean {
  return (
    metadata.deletionTimestamp !== undefined && (metadata.deletionGracePeriodSeconds ?? 0) > longestEndSeconds
  );
}
