import {
  forbidden,
  type KubeObject,
  type NewObject,
  parseQuantity,
  resources,
} from "@microremed/sim-objects";
import type { Store } from "@microremed/sim-store";

const sizeOf = ({ spec }: NewObject): number => parseQuantity(spec?.resources?.requests?.storage ?? "") ?? 0;

/** PersistentVolumeClaimResize: a claim grows only where its storage class can enlarge volumes. Throws 403. */
export function checkClaimResize(store: Store, claim: NewObject, old: KubeObject): void {
  if (sizeOf(claim) <= sizeOf(old)) return;
  const storageClass = store.get(resources.storageClasses, undefined, old.spec?.storageClassName ?? "");
  if (storageClass?.["allowVolumeExpansion"] === true) return;
  throw forbidden(
    resources.persistentVolumeClaims,
    old.metadata.name,
    "only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize",
  );
}
