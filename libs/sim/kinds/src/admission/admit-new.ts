import { type KubeObject, type NewObject, qualified, type ResourceRef } from "@microremed/sim-objects";
import type { Store } from "@microremed/sim-store";
import { withClaimDefaults } from "./claim.ts";
import { checkClaimResize } from "./claim-resize.ts";
import { checkLimitRanges, withLimitDefaults } from "./limit-ranges.ts";
import { withPriority } from "./pod-priority.ts";
import { checkPodSecurity } from "./pod-security.ts";
import { checkQuotas } from "./quota.ts";
import { withServiceAccount } from "./service-account.ts";

/**
 * The built-in admission plug-ins that change a new, defaulted object: LimitRanger, ServiceAccount, Priority,
 * DefaultStorageClass, StorageObjectInUseProtection. They know one that gets its name from the server by its generateName only. Throws 403.
 */
export function admitNew(store: Store, ref: ResourceRef, object: NewObject): NewObject {
  if (qualified(ref) === "persistentvolumeclaims") return withClaimDefaults(store, object);
  if (qualified(ref) !== "pods") return object;
  return withPriority(store, withServiceAccount(store, withLimitDefaults(store, object)));
}

/** Those that only check a valid object that has its name: LimitRanger and PodSecurity for a new one, PersistentVolumeClaimResize, and ResourceQuota. Throws 403. */
export function admitWithinLimits(
  store: Store,
  ref: ResourceRef,
  object: NewObject,
  old: KubeObject | undefined,
): void {
  const limited = ["pods", "persistentvolumeclaims"].includes(qualified(ref));
  if (limited && !old) checkLimitRanges(store, ref, object);
  if (qualified(ref) === "pods" && !old) checkPodSecurity(store, ref, object);
  if (qualified(ref) === "persistentvolumeclaims" && old) checkClaimResize(store, object, old);
  checkQuotas(store, ref, object, old);
}
