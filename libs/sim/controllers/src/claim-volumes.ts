import { type KubeObject, type NewObject, parseQuantity } from "@microremed/sim-objects";

/** The one storage class of the cluster: claims that name none get it. */
export const defaultStorageClass = "local-path";

/** What a volume knows of the claim that holds it. */
export function claimReference({ apiVersion, kind, metadata }: KubeObject): object {
  const { namespace, name, uid, resourceVersion } = metadata;
  return { apiVersion, kind, namespace, name, uid, resourceVersion };
}

/** The volume that a storage class makes for a claim. */
export function provisionedVolume(claim: KubeObject, storageClass: KubeObject): NewObject {
  const { metadata, spec } = claim;
  const { namespace, name, uid } = metadata;
  return {
    apiVersion: "v1",
    kind: "PersistentVolume",
    metadata: {
      name: `pvc-${uid}`,
      annotations: { "pv.kubernetes.io/provisioned-by": String(storageClass["provisioner"]) },
    },
    spec: {
      capacity: { storage: spec.resources?.requests?.storage ?? "1Gi" },
      accessModes: spec.accessModes ?? ["ReadWriteOnce"],
      claimRef: claimReference(claim),
      hostPath: {
        path: `/opt/local-path-provisioner/pvc-${uid}_${namespace}_${name}`,
        type: "DirectoryOrCreate",
      },
      persistentVolumeReclaimPolicy: String(storageClass["reclaimPolicy"] ?? "Delete"),
      storageClassName: storageClass.metadata.name,
      volumeMode: spec.volumeMode ?? "Filesystem",
    },
    status: { phase: "Bound" },
  };
}

/** Whether a volume is of the claim's class, large enough, can be mounted as wanted, and is not another claim's. */
export function isFreeFor(claim: KubeObject, { spec }: KubeObject): boolean {
  const { storageClassName = defaultStorageClass, accessModes = [], resources: size } = claim.spec;
  const needed = parseQuantity(size?.requests?.storage ?? "") ?? 0;
  return (
    (!spec.claimRef || isPromised(claim, spec.claimRef)) &&
    (spec.storageClassName ?? "") === storageClassName &&
    (parseQuantity(spec.capacity?.storage ?? "") ?? 0) >= needed &&
    accessModes.every((mode: string) => spec.accessModes?.includes(mode))
  );
}

/** A volume may name the claim that it is for, before there is one. */
const isPromised = (
  { metadata: { namespace, name } }: KubeObject,
  claimRef: { readonly namespace?: string; readonly name?: string; readonly uid?: string },
): boolean => claimRef.uid === undefined && claimRef.namespace === namespace && claimRef.name === name;

/** The first volume that the claim may have. */
export const fittingVolume = (claim: KubeObject, volumes: readonly KubeObject[]): KubeObject | undefined =>
  volumes.find((volume) => isFreeFor(claim, volume));
