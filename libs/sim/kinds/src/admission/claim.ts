import { type KubeObject, type NewObject, resources } from "@microremed/sim-objects";
import type { Store } from "@microremed/sim-store";

const protection = "kubernetes.io/pvc-protection";
const defaultClass = "storageclass.kubernetes.io/is-default-class";

/**
 * A new claim as DefaultStorageClass and StorageObjectInUseProtection leave it: with the class that is the default, the newest
 * where there are several, and with the finalizer that keeps it while a pod mounts it.
 */
export function withClaimDefaults(store: Store, claim: NewObject): NewObject {
  const { finalizers = [] } = claim.metadata;
  const storageClassName = claim.spec?.storageClassName ?? defaultClassOf(store);
  return {
    ...claim,
    metadata: {
      ...claim.metadata,
      finalizers: finalizers.includes(protection) ? finalizers : [...finalizers, protection],
    },
    spec: { ...claim.spec, ...(storageClassName !== undefined && { storageClassName }) },
  };
}

function defaultClassOf(store: Store): string | undefined {
  const createdAt = ({ metadata }: KubeObject): string => metadata.creationTimestamp ?? "";
  return store
    .list(resources.storageClasses)
    .filter(({ metadata }) => metadata.annotations?.[defaultClass] === "true")
    .toSorted((a, b) => (createdAt(a) < createdAt(b) ? 1 : -1))[0]?.metadata.name;
}
