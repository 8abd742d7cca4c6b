import type { KubeObject, Service } from "@microremed/cluster";

/** Of the default namespace; every pod finds the API server by it. */
const apiServer: Pick<Service, "metadata" | "spec"> = {
  metadata: { name: "kubernetes" },
  spec: { ports: [{ name: "https", port: 443 }] },
};

/**
 * The variables by which the next pods find a declared Service, or the API server, and which another Service gives instead;
 * undefined: none. Kubelets give every pod the addresses of all Services of its namespace; of two of one name, that of the
 * namespace counts (kubelet_pods.go, getServiceEnvVarMap).
 */
export function linksTaken(record: readonly KubeObject[], object: KubeObject): string | undefined {
  if (object.kind !== "Service") return undefined;
  const given = new Set(linksOf(object as Service));
  const services = record.filter(({ kind }) => kind === "Service") as readonly Service[];
  const taken = [apiServer, ...services].flatMap(linksOf).filter((name) => given.has(name));
  if (taken.length === 0) return undefined;
  return `gives the next pods other values of ${taken.slice(0, 3).join(", ")}`;
}

/** Names of the variables that a Service gives; one without an address gives none. */
function linksOf({ metadata, spec }: Pick<Service, "metadata" | "spec">): string[] {
  const { clusterIP, ports = [] } = (spec ?? {}) as Service["spec"] & { readonly clusterIP?: string };
  if (clusterIP === "None" || ports.length === 0) return [];
  const prefix = variableOf(metadata.name);
  return [
    ...[`${prefix}_SERVICE_HOST`, `${prefix}_SERVICE_PORT`, `${prefix}_PORT`],
    ...ports.flatMap(({ name, port }) => [
      ...(name ? [`${prefix}_SERVICE_PORT_${variableOf(name)}`] : []),
      ...["", "_PROTO", "_PORT", "_ADDR"].map((part) => `${prefix}_PORT_${port}_TCP${part}`),
    ]),
  ];
}

const variableOf = (name: string): string => name.toUpperCase().replaceAll("-", "_");
