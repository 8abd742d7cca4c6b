import type { ResourceRef } from "../objects.ts";

const withStatus: Readonly<Record<string, readonly string[]>> = {
  "": [
    "namespaces",
    "pods",
    "services",
    "nodes",
    "persistentvolumeclaims",
    "persistentvolumes",
    "resourcequotas",
  ],
  apps: ["deployments", "replicasets", "statefulsets", "daemonsets"],
  batch: ["jobs", "cronjobs"],
  autoscaling: ["horizontalpodautoscalers"],
  policy: ["poddisruptionbudgets"],
  "networking.k8s.io": ["ingresses"],
  "apiextensions.k8s.io": ["customresourcedefinitions"],
  "chaos-mesh.org": ["podnetworkchaos", "podiochaos", "podhttpchaos"],
};

const generationGroups = new Set([
  "apps",
  "batch",
  "policy",
  "networking.k8s.io",
  "discovery.k8s.io",
  "chaos-mesh.org",
  "apiextensions.k8s.io",
  "admissionregistration.k8s.io",
]);

/** Whether clients write `status` only through the /status subresource. */
export function hasStatusSubresource(ref: ResourceRef): boolean {
  return withStatus[ref.group]?.includes(ref.resource) ?? false;
}

/** Whether the kind carries metadata.generation. */
export function hasGeneration(ref: ResourceRef): boolean {
  return generationGroups.has(ref.group);
}
