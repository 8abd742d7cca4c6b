import type { PodSandbox } from "./machine.ts";

/** Address of the cluster's DNS, as kubeadm lays it out in the service range. */
export const clusterDns = "10.96.0.10";
/** Address that a chaos DNS server has in the simulation. */
export const chaosDns = "10.96.0.53";
/** The name server in a node's own resolv.conf, which knows nothing of the cluster. */
export const nodeDns = "1.1.1.1";

/** What a pod's resolver asks, and how. */
export interface ResolverConfig {
  /** Asked in turn; the next only where one does not answer. */
  readonly nameservers: readonly string[];
  /** Appended to names that do not end with a dot. */
  readonly searches: readonly string[];
  /** As in resolv.conf: `ndots:5`. */
  readonly options: readonly string[];
}

/** The fields of a pod's spec that decide it. */
export interface DnsSpec {
  readonly hostNetwork?: boolean;
  readonly dnsPolicy?: string;
  readonly dnsConfig?: {
    readonly nameservers?: readonly string[];
    readonly searches?: readonly string[];
    readonly options?: readonly { readonly name: string; readonly value?: string }[];
  };
}

/** The resolver that the kubelet gives to pods of a namespace by default. */
export const clusterResolver = (namespace: string): ResolverConfig => ({
  nameservers: [clusterDns],
  searches: [`${namespace}.svc.cluster.local`, "svc.cluster.local", "cluster.local"],
  options: ["ndots:5"],
});

const nodeResolver: ResolverConfig = { nameservers: [nodeDns], searches: [], options: [] };
const noResolver: ResolverConfig = { nameservers: [], searches: [], options: [] };

/**
 * The resolver of a pod by its `dnsPolicy`, with what `dnsConfig` adds: without a pod network of its own, `ClusterFirst`
 * means the node's.
 */
export function resolverOf(namespace: string, spec: DnsSpec): ResolverConfig {
  const { dnsConfig: added = {} } = spec;
  const base = baseOf(namespace, spec);
  const options = new Map(base.options.map((option) => [option.split(":")[0], option]));
  for (const { name, value } of added.options ?? [])
    options.set(name, value === undefined ? name : `${name}:${value}`);
  return {
    nameservers: [...new Set([...base.nameservers, ...(added.nameservers ?? [])])],
    searches: [...new Set([...base.searches, ...(added.searches ?? [])])],
    options: [...options.values()],
  };
}

function baseOf(
  namespace: string,
  { dnsPolicy = "ClusterFirst", hostNetwork = false }: DnsSpec,
): ResolverConfig {
  if (dnsPolicy === "None") return noResolver;
  const isOfNode = dnsPolicy === "Default" || (dnsPolicy === "ClusterFirst" && hostNetwork);
  return isOfNode ? nodeResolver : clusterResolver(namespace);
}

/** The pod's resolv.conf: the kubelet makes it once, for the sandbox. `nameserver`: instead of its own. */
export function resolvConf({ namespace, resolver }: PodSandbox, nameserver?: string): string {
  const { nameservers, searches, options } = resolver ?? clusterResolver(namespace);
  const asked = nameserver === undefined ? nameservers : [nameserver];
  return [
    ...(searches.length > 0 ? [`search ${searches.join(" ")}`] : []),
    ...asked.map((address) => `nameserver ${address}`),
    ...(options.length > 0 ? [`options ${options.join(" ")}`] : []),
  ].join("\n");
}
