import type { KubeObject, OwnerReference } from "@microremed/sim-objects";
import { ownersOf } from "./owner-graph.ts";

export const foregroundFinalizer = "foregroundDeletion";
export const orphanFinalizer = "orphan";

/** What the garbage collector does with one object. */
export type GarbageStep =
  | { readonly do: "nothing" }
  /** Cut its dependents' references to it; then it may go. */
  | { readonly do: "orphan dependents" }
  /** Delete its dependents; it goes after those that block it. */
  | { readonly do: "delete dependents" }
  /** Its owners are gone. */
  | { readonly do: "delete" }
  /** Some of its owners are gone. */
  | { readonly do: "keep owners"; readonly owners: readonly OwnerReference[] };

/** Whether the object is being deleted and waits for this finalizer. */
export function waitsFor({ metadata }: KubeObject, finalizer: string): boolean {
  return metadata.deletionTimestamp !== undefined && (metadata.finalizers?.includes(finalizer) ?? false);
}

/** The collector's rule. `exists`: whether there is an object of this uid. */
export function garbageStep(object: KubeObject, exists: (uid: string) => boolean): GarbageStep {
  if (waitsFor(object, orphanFinalizer)) return { do: "orphan dependents" };
  if (waitsFor(object, foregroundFinalizer)) return { do: "delete dependents" };
  const owners = ownersOf(object);
  if (owners.length === 0 || object.metadata.deletionTimestamp !== undefined) return { do: "nothing" };
  const left = owners.filter((owner) => exists(owner.uid));
  if (left.length === 0) return { do: "delete" };
  return left.length < owners.length ? { do: "keep owners", owners: left } : { do: "nothing" };
}
