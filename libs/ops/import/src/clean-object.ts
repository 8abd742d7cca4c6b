import type { Manifest } from "@microremed/catalogue/environment";
import type { KubeObject } from "@microremed/cluster";
import { isJsonObject } from "@microremed/core";
import { isVolatileAnnotation, normalise } from "@microremed/inventory";

/** Fields that a cluster fills in with what is there only once, by kind. */
const assigned: Readonly<Record<string, readonly string[]>> = {
  Service: ["clusterIP", "clusterIPs", "healthCheckNodePort", "ipFamilies", "ipFamilyPolicy"],
  PersistentVolumeClaim: ["volumeName", "volumeMode"],
  Pod: ["nodeName"],
};

/** An object of a running cluster as its author may have written it: without what the cluster has made of it. */
export function cleanObject(object: KubeObject): Manifest {
  const { metadata, spec, ...rest } = normalise(object);
  const annotations = Object.entries(metadata.annotations ?? {}).filter(
    ([name]) => !isVolatileAnnotation(name),
  );
  const { annotations: _a, ownerReferences: _o, finalizers: _f, namespace: _n, ...kept } = metadata;
  return {
    ...(rest as Pick<Manifest, "apiVersion" | "kind">),
    metadata: { ...kept, ...(annotations.length > 0 && { annotations: Object.fromEntries(annotations) }) },
    ...(isJsonObject(spec) && { spec: withoutAssigned(object.kind ?? "", spec) }),
  };
}

function withoutAssigned(kind: string, spec: Readonly<Record<string, unknown>>): unknown {
  const names = assigned[kind] ?? [];
  const isHeadless = (name: string): boolean => name === "clusterIP" && spec[name] === "None";
  const kept = Object.entries(spec).filter(([name]) => !names.includes(name) || isHeadless(name));
  return Object.fromEntries(
    kept.map(([name, value]) => [name, name === "ports" ? withoutNodePorts(value) : value]),
  );
}

/** A copy gets ports of its own. */
function withoutNodePorts(ports: unknown): unknown {
  if (!Array.isArray(ports)) return ports;
  return ports.map((port: unknown) => {
    if (!isJsonObject(port)) return port;
    const { nodePort: _, ...rest } = port;
    return rest;
  });
}
