import type { LooseRecord } from "@microremed/sim-objects";
import { fill } from "./pod-spec.ts";

export function defaultService(object: LooseRecord): void {
  const { spec } = object;
  fill(spec, { type: "ClusterIP", sessionAffinity: "None" });
  if (spec.sessionAffinity === "ClientIP") {
    spec.sessionAffinityConfig ??= { clientIP: { timeoutSeconds: 10_800 } };
  }
  for (const port of spec.ports ?? []) fill(port, { protocol: "TCP", targetPort: port.port });
  if (spec.type === "ExternalName") return;
  fill(spec, { internalTrafficPolicy: "Cluster", ipFamilies: ["IPv4"], ipFamilyPolicy: "SingleStack" });
  if (spec.type !== "ClusterIP") fill(spec, { externalTrafficPolicy: "Cluster" });
  if (spec.type === "LoadBalancer") fill(spec, { allocateLoadBalancerNodePorts: true });
}

export function defaultNamespace(object: LooseRecord): void {
  object["spec"] ??= {};
  fill(object["spec"], { finalizers: ["kubernetes"] });
  // One with a generateName gets its label when it is stored under its name.
  if (!object["metadata"].name) return;
  object["metadata"].labels = {
    ...object["metadata"].labels,
    "kubernetes.io/metadata.name": object["metadata"].name,
  };
}

export function defaultSecret(object: LooseRecord): void {
  fill(object, { type: "Opaque" });
  const { stringData, ...rest } = object;
  if (!stringData) return;
  const encoded = Object.entries(stringData).map(([key, value]) => [
    key,
    Buffer.from(String(value)).toString("base64"),
  ]);
  object["data"] = { ...rest["data"], ...Object.fromEntries(encoded) };
  delete object["stringData"];
}

export function defaultClaim(object: LooseRecord): void {
  fill(object["spec"], { volumeMode: "Filesystem" });
}

export function defaultVolumeObject(object: LooseRecord): void {
  fill(object["spec"], { volumeMode: "Filesystem", persistentVolumeReclaimPolicy: "Retain" });
}

export function defaultAutoscaler(object: LooseRecord): void {
  const target = { type: "Utilization", averageUtilization: 80 };
  fill(object["spec"], {
    minReplicas: 1,
    metrics: [{ type: "Resource", resource: { name: "cpu", target } }],
  });
}

export function defaultLimitRange(object: LooseRecord): void {
  for (const item of object["spec"].limits ?? []) {
    if (item.type !== "Container") continue;
    const limits = { ...item.max, ...item.default };
    const requests = { ...item.min, ...limits, ...item.defaultRequest };
    if (Object.keys(limits).length > 0) item.default = limits;
    if (Object.keys(requests).length > 0) item.defaultRequest = requests;
  }
}

export function defaultNetworkPolicy(object: LooseRecord): void {
  const { spec } = object;
  spec.policyTypes ??= spec.egress ? ["Ingress", "Egress"] : ["Ingress"];
}

export function defaultStorageClass(object: LooseRecord): void {
  fill(object, { reclaimPolicy: "Delete", volumeBindingMode: "Immediate" });
}

export function defaultBinding(object: LooseRecord): void {
  fill(object["roleRef"] ?? {}, { apiGroup: "rbac.authorization.k8s.io" });
  for (const subject of object["subjects"] ?? []) {
    fill(subject, { apiGroup: subject.kind === "ServiceAccount" ? undefined : "rbac.authorization.k8s.io" });
  }
}
