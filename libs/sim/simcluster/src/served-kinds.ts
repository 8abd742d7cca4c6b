import { chaosResources } from "@microremed/sim-chaos-mesh";
import { resourceTypes, storageOf } from "@microremed/sim-kinds";
import type { ResourceRef } from "@microremed/sim-objects";

/** What the cluster serves besides what users define. */
export const servedKinds = [...resourceTypes, ...chaosResources];

/** Kinds that live in the store; events of both API groups are kept once, metrics not at all. */
export function storedResources(): readonly ResourceRef[] {
  const kept = servedKinds.filter((type) => type.group !== "metrics.k8s.io").map(storageOf);
  const unique = new Map(kept.map((ref) => [`${ref.group}/${ref.resource}`, ref]));
  return [...unique.values()];
}
