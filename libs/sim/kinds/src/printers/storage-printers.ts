import type { KubeObject } from "@microremed/sim-objects";
import { age } from "../resource-type/age.ts";
import { ageColumn, nameColumn, text, wide } from "../resource-type/columns.ts";
import type { Printer } from "../resource-type/resource-type.ts";

const born = (object: KubeObject, now: number): string => age(object.metadata.creationTimestamp, now);

const accessModeNames: Readonly<Record<string, string>> = {
  ReadWriteOnce: "RWO",
  ReadOnlyMany: "ROX",
  ReadWriteMany: "RWX",
  ReadWriteOncePod: "RWOP",
};

const accessModes = (modes: readonly string[] | undefined): string =>
  (modes ?? []).map((mode) => accessModeNames[mode] ?? mode).join(",");

export const claimPrinter: Printer = {
  columns: [
    nameColumn,
    text("Status"),
    text("Volume"),
    text("Capacity"),
    text("Access Modes"),
    text("StorageClass"),
    text("VolumeAttributesClass"),
    ageColumn,
    wide("VolumeMode"),
  ],
  cells: (claim, now) => [
    claim.metadata.name,
    claim.metadata.deletionTimestamp ? "Terminating" : (claim.status?.phase ?? ""),
    claim.spec?.volumeName ?? "",
    claim.status?.capacity?.storage ?? "",
    accessModes(claim.status?.accessModes),
    claim.spec?.storageClassName ?? "",
    "<unset>",
    born(claim, now),
    claim.spec?.volumeMode ?? "<unset>",
  ],
};

export const volumePrinter: Printer = {
  columns: [
    nameColumn,
    text("Capacity"),
    text("Access Modes"),
    text("Reclaim Policy"),
    text("Status"),
    text("Claim"),
    text("StorageClass"),
    text("VolumeAttributesClass"),
    text("Reason"),
    ageColumn,
    wide("VolumeMode"),
  ],
  cells(volume, now) {
    const claim = volume.spec?.claimRef;
    return [
      volume.metadata.name,
      volume.spec?.capacity?.storage ?? "",
      accessModes(volume.spec?.accessModes),
      volume.spec?.persistentVolumeReclaimPolicy ?? "",
      volume.status?.phase ?? "",
      claim ? `${claim.namespace}/${claim.name}` : "",
      volume.spec?.storageClassName ?? "",
      "<unset>",
      volume.status?.reason ?? "",
      born(volume, now),
      volume.spec?.volumeMode ?? "<unset>",
    ];
  },
};

const usedOfHard = (quota: KubeObject, resources: readonly string[]): string =>
  resources
    .map((name) => `${name}: ${quota.status?.used?.[name] ?? 0}/${quota.spec?.hard?.[name]}`)
    .join(", ");

export const quotaPrinter: Printer = {
  columns: [nameColumn, text("Request"), text("Limit"), ageColumn],
  cells(quota, now) {
    const names = Object.keys(quota.spec?.hard ?? {}).sort();
    const limits = names.filter((name) => name.startsWith("limits"));
    const requests = names.filter((name) => !name.startsWith("limits"));
    return [quota.metadata.name, usedOfHard(quota, requests), usedOfHard(quota, limits), born(quota, now)];
  },
};
