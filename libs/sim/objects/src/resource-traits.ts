import type { KubeObject, ResourceRef } from "./objects.ts";

const withStatus: Readonly<Record<string, readonly string[]>> = {
  "": [
    "namespaces",
    "pods",
    "services",
    "nodes",
    "persistentvolumeclaims",
    "persistentvolumes",
    "resourcequotas",
    "replicationcontrollers",
  ],
  apps: ["deployments", "replicasets", "statefulsets", "daemonsets"],
  batch: ["jobs", "cronjobs"],
  autoscaling: ["horizontalpodautoscalers"],
  policy: ["poddisruptionbudgets"],
  "networking.k8s.io": ["ingresses"],
  "apiextensions.k8s.io": ["customresourcedefinitions"],
  "certificates.k8s.io": ["certificatesigningrequests"],
};

const generationGroups = new Set([
  "apps",
  "batch",
  "policy",
  "networking.k8s.io",
  "discovery.k8s.io",
  "apiextensions.k8s.io",
  "admissionregistration.k8s.io",
]);

/**
 * Whether clients write `status` only through the /status subresource. `definition`: the CustomResourceDefinition of
 * a kind that is not built in.
 */
export function hasStatusSubresource(ref: ResourceRef, definition?: KubeObject): boolean {
  if (withStatus[ref.group]?.includes(ref.resource)) return true;
  const versions: readonly KubeObject["spec"][] = definition?.spec?.versions ?? [];
  return versions.some((version) => version?.subresources?.status !== undefined);
}

/** Whether the kind carries metadata.generation. */
export function hasGeneration(ref: ResourceRef, definition?: KubeObject): boolean {
  const isReplicas = ref.group === "" && ref.resource === "replicationcontrollers";
  return definition !== undefined || isReplicas || generationGroups.has(ref.group);
}
