import {
  answers,
  clusterDns,
  clusterResolver,
  type NameRules,
  type PodSandbox,
  type ResolverConfig,
} from "@microremed/sim-machine";
import type { ServiceDirectory, ServiceView } from "./service-directory.ts";

const ipv4 = /^\d{1,3}(\.\d{1,3}){3}$/;
/** TEST-NET-3: what a chaos DNS server that answers at random leads to; nothing is there. */
const nowhere = "203.0.113.66";

/**
 * What the resolver of a pod answers: what its hosts file says, else what the name server's Corefile makes of addresses for `svc`, `svc.ns`, `svc.ns.svc`, the full name, and
 * `pod.svc...` below headless services; empty for NXDOMAIN, or when the name server cannot be reached. `namespace` is the search domain; a node has none.
 */
export function resolveHost(
  directory: ServiceDirectory,
  from: PodSandbox | "node",
  host: string,
  dnsReachable = true,
): readonly string[] {
  if (ipv4.test(host)) return [host];
  if (host === "localhost") return ["127.0.0.1"];
  const namespace = from === "node" ? undefined : from.namespace;
  if (from !== "node") {
    const named = from.hosts?.addresses.get(host) ?? (host === from.name ? from.ip : undefined);
    if (named !== undefined) return [named];
    if (!dnsReachable || !directory.hasNameServer) return [];
    const fault = from.dnsFault;
    if (fault && dnsFaultHits(fault.patterns, host)) return fault.action === "error" ? [] : [nowhere];
  }
  const own = from === "node" || from.asksChaosDns ? undefined : from.resolver;
  const rules = from === "node" || from.asksChaosDns ? undefined : directory.nameRules;
  if (rules && !rules.isPlain && namespace !== undefined)
    return byRules(directory, rules, host, { own, namespace });
  return found(directory, own ? asked(own, host) : readings(host, namespace));
}

/** What the name server says by its Corefile, name by name of the search list. */
function byRules(
  directory: ServiceDirectory,
  rules: NameRules,
  host: string,
  { own, namespace }: { readonly own: ResolverConfig | undefined; readonly namespace: string },
): readonly string[] {
  const { nameservers, searches } = own ?? clusterResolver(namespace);
  if (nameservers.find(answers) !== clusterDns) return [];
  const askCluster = (name: string): readonly string[] =>
    name.endsWith(".svc.cluster.local") ? found(directory, readings(name, undefined)) : [];
  for (const name of namesFor(searches, host)) {
    const addresses = rules.answer(name.toLowerCase(), askCluster);
    if (addresses.length > 0) return addresses;
  }
  return [];
}

/** The first reading that there is. */
function found(directory: ServiceDirectory, all: readonly Reading[]): readonly string[] {
  for (const [hostname, service, inNamespace] of all) {
    const view = directory.byName(inNamespace, service);
    const addresses = view && addressesOf(view, hostname);
    if (addresses && addresses.length > 0) return addresses;
  }
  return [];
}

/** What a resolver asks for a host, in its order. */
const namesFor = (searches: readonly string[], host: string): readonly string[] =>
  host.endsWith(".") ? [host.slice(0, -1)] : [...searches.map((domain) => `${host}.${domain}`), host];

type Reading = readonly [hostname: string | undefined, service: string, namespace: string];

/** What a name may mean, in the order of the search list `<ns>.svc.cluster.local svc.cluster.local cluster.local`. */
function readings(host: string, namespace: string | undefined): readonly Reading[] {
  const bare = host.replace(/\.$/, "");
  const inCluster = bare.replace(/\.cluster\.local$/, "").replace(/\.svc$/, "");
  const [a = "", b, c, ...rest] = inCluster.split(".");
  if (rest.length > 0) return [];
  if (c !== undefined && b !== undefined) return [[a, b, c]];
  const qualified = inCluster !== bare;
  if (b !== undefined) {
    const own: readonly Reading[] = namespace && !qualified ? [[a, b, namespace]] : [];
    return [...own, [undefined, a, b]];
  }
  return namespace && !qualified ? [[undefined, a, namespace]] : [];
}

/** What a resolver of another kind than usual asks the cluster: nothing, where a server outside of it answers first. */
function asked({ nameservers, searches }: ResolverConfig, host: string): readonly Reading[] {
  if (nameservers.find(answers) !== clusterDns) return [];
  return namesFor(searches, host)
    .filter((name) => name.endsWith(".svc.cluster.local"))
    .flatMap((name) => readings(name, undefined));
}

function addressesOf(service: ServiceView, hostname: string | undefined): readonly string[] {
  const endpoints = service.ports[0]?.endpoints ?? [];
  if (hostname !== undefined) {
    return endpoints.filter((endpoint) => endpoint.hostname === hostname).map(({ ip }) => ip);
  }
  return service.clusterIp ? [service.clusterIp] : endpoints.map(({ ip }) => ip);
}

/** Chaos Mesh's patterns: `?` is one character, a trailing `*` any rest; none at all: every name. */
export function dnsFaultHits(patterns: readonly string[], host: string): boolean {
  if (patterns.length === 0) return true;
  return patterns.some((pattern) => {
    const escaped = pattern.replace(/[.+^${}()|[\]\\]/g, "\\$&");
    return new RegExp(`^${escaped.replace(/\?/g, ".").replace(/\*/g, ".*")}$`).test(host);
  });
}
