import type { KubeObject } from "../objects.ts";
import { resources } from "../resources.ts";
import type { ControllerContext } from "./context.ts";
import { createDefaulted } from "./create-defaulted.ts";
import { keyOf, splitKey } from "./keys.ts";
import { createWorkQueue } from "./work-queue.ts";

const source = { component: "persistentvolume-controller" };
const provisioner = { component: "rancher.io/local-path_local-path-provisioner" };
export const defaultStorageClass = "local-path";

/** Provisions a volume for every claim at once and takes it away with the claim. */
export function startVolumeClaimController(ctx: ControllerContext): void {
  const { store, events } = ctx;
  const queue = createWorkQueue({ ...ctx, name: "persistentvolume", delayMs: 200 }, reconcile);

  function volumeOf(claim: KubeObject, storageClass: KubeObject): KubeObject {
    const { apiVersion, kind, metadata, spec } = claim;
    const { namespace, name, uid, resourceVersion } = metadata;
    return createDefaulted(store, resources.persistentVolumes, {
      apiVersion: "v1",
      kind: "PersistentVolume",
      metadata: {
        name: `pvc-${uid}`,
        annotations: { "pv.kubernetes.io/provisioned-by": String(storageClass["provisioner"]) },
      },
      spec: {
        capacity: { storage: spec.resources?.requests?.storage ?? "1Gi" },
        accessModes: spec.accessModes ?? ["ReadWriteOnce"],
        claimRef: { apiVersion, kind, namespace, name, uid, resourceVersion },
        hostPath: {
          path: `/opt/local-path-provisioner/pvc-${uid}_${namespace}_${name}`,
          type: "DirectoryOrCreate",
        },
        persistentVolumeReclaimPolicy: String(storageClass["reclaimPolicy"] ?? "Delete"),
        storageClassName: storageClass.metadata.name,
        volumeMode: spec.volumeMode ?? "Filesystem",
      },
      status: { phase: "Bound" },
    });
  }

  function provision(claim: KubeObject): void {
    const wanted = claim.spec.storageClassName ?? defaultStorageClass;
    const storageClass = store.get(resources.storageClasses, undefined, wanted);
    if (!storageClass) {
      const message = `storageclass.storage.k8s.io "${wanted}" not found`;
      events.record(source, claim, { type: "Warning", reason: "ProvisioningFailed", message });
      queue.addAfter(keyOf(claim), 15_000);
      return;
    }
    const volume = volumeOf(claim, storageClass);
    const { name } = volume.metadata;
    const message = `Successfully provisioned volume ${name}`;
    events.record(provisioner, claim, { type: "Normal", reason: "ProvisioningSucceeded", message });
    const bound = store.update(resources.persistentVolumeClaims, {
      ...claim,
      spec: { ...claim.spec, volumeName: name, storageClassName: wanted },
    });
    const { capacity, accessModes } = volume.spec;
    const status = { phase: "Bound", accessModes, capacity };
    store.update(resources.persistentVolumeClaims, { ...bound, status }, { status: true });
  }

  function reconcile(key: string): void {
    const claim = store.get(resources.persistentVolumeClaims, ...splitKey(key));
    if (claim && !claim.metadata.deletionTimestamp && !claim.spec.volumeName) provision(claim);
  }

  store.watch(resources.persistentVolumeClaims, (event) => {
    if (event.type !== "DELETED") {
      queue.add(keyOf(event.object));
      return;
    }
    const volumeName = event.object.spec?.volumeName;
    const volume = volumeName && store.get(resources.persistentVolumes, undefined, volumeName);
    if (volume && volume.spec.persistentVolumeReclaimPolicy === "Delete") {
      store.delete(resources.persistentVolumes, undefined, volumeName);
    }
  });
}
