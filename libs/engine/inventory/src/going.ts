import type { KubeObject } from "@microremed/cluster";

/** Of every kind the garbage collector takes these away by itself. */
const ofTheCollector = ["foregroundDeletion", "orphan"];
const ofClaims = "kubernetes.io/pvc-protection";

/**
 * Finalizers of an object that no controller of the cluster takes away: once deleted, it will not go. Chaos Mesh takes all
 * of them away from its own objects, when it has taken back what they did.
 */
export function holdsOf({ apiVersion = "", kind, metadata: { finalizers = [] } }: KubeObject): string[] {
  if (apiVersion.startsWith("chaos-mesh.org/")) return [];
  return finalizers.filter(
    (name) => !ofTheCollector.includes(name) && !(kind === "PersistentVolumeClaim" && name === ofClaims),
  );
}

/** Whether an object that is being deleted will not go. */
export const isHeld = (object: KubeObject): boolean => holdsOf(object).length > 0;

/** s. A pod that was deleted goes within this time, whatever else is still to do. */
const longestEndSeconds = 120;

/** Whether a pod that was deleted may go on running long after a verdict. */
export function endsLate({ metadata }: KubeObject): boolean {
  return (
    metadata.deletionTimestamp !== undefined && (metadata.deletionGracePeriodSeconds ?? 0) > longestEndSeconds
  );
}
