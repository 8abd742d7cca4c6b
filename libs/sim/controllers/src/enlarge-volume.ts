import type { ControllerContext } from "@microremed/sim-component-base";
import { type KubeObject, parseQuantity, resources } from "@microremed/sim-objects";

const source = { component: "kubelet" };
const bytesOf = (storage: string | undefined): number => parseQuantity(storage ?? "") ?? 0;

/** Gives a bound claim that asks for more a larger volume, where its storage class can enlarge one. */
export function enlargeVolume({ store, events }: ControllerContext, claim: KubeObject): void {
  const { volumeName, storageClassName, resources: wanted } = claim.spec;
  const volume = store.get(resources.persistentVolumes, undefined, volumeName);
  const storage: string | undefined = wanted?.requests?.storage;
  if (!volume || bytesOf(storage) <= bytesOf(volume.spec.capacity?.storage)) return;
  const storageClass = store.get(resources.storageClasses, undefined, storageClassName ?? "");
  if (storageClass?.["allowVolumeExpansion"] !== true) return;
  const capacity = { ...volume.spec.capacity, storage };
  store.update(resources.persistentVolumes, { ...volume, spec: { ...volume.spec, capacity } });
  const status = { ...claim.status, capacity };
  store.update(resources.persistentVolumeClaims, { ...claim, status }, { status: true });
  const message = "MountVolume.NodeExpandVolume succeeded for volume";
  events.record(source, claim, { type: "Normal", reason: "FileSystemResizeSuccessful", message });
}
