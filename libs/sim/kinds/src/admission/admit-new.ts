import { type KubeObject, type NewObject, qualified, type ResourceRef } from "@microremed/sim-objects";
import type { Store } from "@microremed/sim-store";
import { checkLimitRanges, withLimitDefaults } from "./limit-ranges.ts";
import { withPriority } from "./pod-priority.ts";
import { checkQuotas } from "./quota.ts";
import { withServiceAccount } from "./service-account.ts";

/** The built-in admission plug-ins that change a new, defaulted object: LimitRanger, ServiceAccount, Priority. */
export function admitNew(store: Store, ref: ResourceRef, object: NewObject): NewObject {
  const key = qualified(ref);
  if (key === "persistentvolumeclaims") checkLimitRanges(store, ref, object);
  if (key !== "pods") return object;
  const limited = withLimitDefaults(store, object);
  checkLimitRanges(store, ref, limited);
  return withPriority(store, withServiceAccount(store, limited));
}

/** The last of them: ResourceQuota. Throws 403. */
export function admitWithinQuota(
  store: Store,
  ref: ResourceRef,
  object: NewObject,
  old: KubeObject | undefined,
): void {
  checkQuotas(store, ref, object, old);
}
