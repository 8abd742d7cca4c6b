import { type FaultContext, type Kind, type KubeObject, kinds, waitFor } from "@microremed/catalogue";

const volumeKind: Kind = { apiVersion: "v1", kind: "PersistentVolume" };
const claimKind = kinds.persistentVolumeClaim;

const capacity = { storage: "1Gi" };
const accessModes = ["ReadWriteOnce"];
/** No class: nothing provisions a volume. */
const storageClassName = "";

/** Volumes are of no namespace, so each arena has names of its own. */
const volumeName = (namespace: string, claim: string): string => `${namespace}-${claim}`;

/** A directory of the nodes with the label `<key>=<namespace>`, for this claim. */
export const volumeOf = (namespace: string, claim: string, key: string): KubeObject => ({
  ...volumeKind,
  metadata: { name: volumeName(namespace, claim) },
  spec: {
    capacity,
    accessModes,
    storageClassName,
    persistentVolumeReclaimPolicy: "Retain",
    claimRef: { namespace, name: claim },
    hostPath: { path: `/var/lib/${volumeName(namespace, claim)}`, type: "DirectoryOrCreate" },
    nodeAffinity: {
      required: {
        nodeSelectorTerms: [{ matchExpressions: [{ key, operator: "In", values: [namespace] }] }],
      },
    },
  },
});

/** The claim that has this volume. */
export const claimOf = (namespace: string, claim: string): KubeObject => ({
  ...claimKind,
  metadata: { name: claim, namespace },
  spec: {
    accessModes,
    storageClassName,
    resources: { requests: capacity },
    volumeName: volumeName(namespace, claim),
  },
});

/** Cluster time, ms: a claim goes when no pod mounts it any more. */
const goneWithinMs = 60_000;

/** Takes the claim away, and its volume, and waits until both are gone. */
export async function removeVolume(
  { cluster, namespace, signal }: FaultContext,
  claim: string,
): Promise<void> {
  const volume = volumeName(namespace, claim);
  await cluster.delete(claimKind, namespace, claim);
  await cluster.delete(volumeKind, undefined, volume);
  await waitFor(
    {
      clock: cluster.clock,
      what: `the claim ${claim} and its volume to go`,
      timeoutMs: goneWithinMs,
      intervalMs: 500,
      ...(signal && { signal }),
    },
    async () =>
      (!(await cluster.get(claimKind, namespace, claim)) &&
        !(await cluster.get(volumeKind, undefined, volume))) ||
      undefined,
  );
}
