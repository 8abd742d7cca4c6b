import { type ControllerContext, createDefaulted, createWorkQueue } from "@microremed/sim-component-base";
import { isFinished, type KubeObject, keyOf, resources, splitKey } from "@microremed/sim-objects";
import {
  claimReference,
  defaultStorageClass,
  fittingVolume,
  isFreeFor,
  provisionedVolume,
} from "./claim-volumes.ts";
import { enlargeVolume } from "./enlarge-volume.ts";

const source = { component: "persistentvolume-controller" };
const provisioner = { component: "rancher.io/local-path_local-path-provisioner" };

const protection = "kubernetes.io/pvc-protection";

const claimsOf = (pod: KubeObject): readonly string[] =>
  (pod.spec?.volumes ?? []).flatMap((volume: { persistentVolumeClaim?: { claimName: string } }) =>
    volume.persistentVolumeClaim ? [volume.persistentVolumeClaim.claimName] : [],
  );

/** Provisions a volume for every claim at once and takes it away with the claim. */
export function startVolumeClaimController(ctx: ControllerContext): void {
  const { store, events } = ctx;
  const queue = createWorkQueue({ ...ctx, name: "persistentvolume", delayMs: 200 }, reconcile);

  function bind(claim: KubeObject, volume: KubeObject): void {
    const claimRef = claimReference(claim);
    const held = store.update(resources.persistentVolumes, { ...volume, spec: { ...volume.spec, claimRef } });
    const phase = { ...held.status, phase: "Bound" };
    store.update(resources.persistentVolumes, { ...held, status: phase }, { status: true });
    const bound = store.update(resources.persistentVolumeClaims, {
      ...claim,
      spec: { ...claim.spec, volumeName: volume.metadata.name },
    });
    const { capacity, accessModes } = volume.spec;
    const status = { phase: "Bound", accessModes, capacity };
    store.update(resources.persistentVolumeClaims, { ...bound, status }, { status: true });
  }

  /** A claim that names its volume waits for this one, however long. */
  function bindNamed(claim: KubeObject): void {
    const volume = store.get(resources.persistentVolumes, undefined, claim.spec.volumeName);
    if (volume && isFreeFor(claim, volume)) bind(claim, volume);
  }

  function provision(claim: KubeObject): void {
    const free = fittingVolume(claim, store.list(resources.persistentVolumes));
    if (free) {
      bind(claim, free);
      return;
    }
    const wanted = claim.spec.storageClassName ?? defaultStorageClass;
    const storageClass = store.get(resources.storageClasses, undefined, wanted);
    if (!storageClass) {
      const message = `storageclass.storage.k8s.io "${wanted}" not found`;
      events.record(source, claim, { type: "Warning", reason: "ProvisioningFailed", message });
      queue.addAfter(keyOf(claim), 15_000);
      return;
    }
    const volume = createDefaulted(
      store,
      resources.persistentVolumes,
      provisionedVolume(claim, storageClass),
    );
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
    if (!claim) return;
    if (claim.metadata.deletionTimestamp) release(claim);
    else if (!claim.metadata.finalizers?.includes(protection)) protect(claim);
    else if (!claim.spec.volumeName) provision(claim);
    else if (claim.status?.phase !== "Bound") bindNamed(claim);
    else enlargeVolume(ctx, claim);
  }

  function protect(claim: KubeObject): void {
    const finalizers = [...(claim.metadata.finalizers ?? []), protection];
    store.update(resources.persistentVolumeClaims, { ...claim, metadata: { ...claim.metadata, finalizers } });
  }

  /** A claim that is being deleted goes when no pod mounts it any more. A pod without a node mounts nothing, and gets none. */
  function release(claim: KubeObject): void {
    const { namespace, name } = claim.metadata;
    const uses = (pod: KubeObject): boolean =>
      Boolean(pod.spec?.nodeName) && claimsOf(pod).includes(name) && !isFinished(pod);
    if (store.list(resources.pods, namespace).some(uses)) return;
    const finalizers = claim.metadata.finalizers?.filter((each) => each !== protection) ?? [];
    store.update(resources.persistentVolumeClaims, { ...claim, metadata: { ...claim.metadata, finalizers } });
  }

  store.watch(resources.pods, ({ object }) => {
    for (const name of claimsOf(object)) queue.add(`${object.metadata.namespace ?? ""}/${name}`);
  });

  store.watch(resources.persistentVolumes, ({ type, object }) => {
    if (type !== "ADDED") return;
    for (const claim of store.list(resources.persistentVolumeClaims))
      if (claim.spec.volumeName === object.metadata.name) queue.add(keyOf(claim));
  });

  store.watch(resources.persistentVolumeClaims, (event) => {
    if (event.type !== "DELETED") {
      queue.add(keyOf(event.object));
      return;
    }
    const volumeName = event.object.spec?.volumeName;
    const volume = volumeName && store.get(resources.persistentVolumes, undefined, volumeName);
    if (!volume) return;
    if (volume.spec.persistentVolumeReclaimPolicy === "Delete") {
      store.delete(resources.persistentVolumes, undefined, volumeName);
      return;
    }
    const status = { ...volume.status, phase: "Released" };
    store.update(resources.persistentVolumes, { ...volume, status }, { status: true });
  });
}
