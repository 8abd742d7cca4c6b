import type { KubeObject } from "@microremed/sim-objects";
import { podsToDelete } from "./pods-to-delete.ts";

/** As the real controller's burst: pods created or deleted in one reconcile. */
const burst = 500;

/** How many pods a ReplicaSet creates now, or which of its active ones it deletes. */
export function scaleStep(
  set: KubeObject,
  active: readonly KubeObject[],
): { readonly create: number; readonly remove: readonly KubeObject[] } {
  const missing: number = (set.spec.replicas ?? 1) - active.length;
  if (missing >= 0) return { create: Math.min(missing, burst), remove: [] };
  return { create: 0, remove: podsToDelete(active, Math.min(-missing, burst)) };
}
