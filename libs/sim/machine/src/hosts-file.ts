import type { HostsFile, PodSandbox } from "./machine.ts";

/** An entry of a pod's `spec.hostAliases`. */
export interface HostAlias {
  readonly ip: string;
  readonly hostnames?: readonly string[];
}

/** A host's name without its domain. */
export const shortName = ({
  hostname,
  domain,
}: {
  readonly hostname: string;
  readonly domain?: string | undefined;
}): string =>
  domain !== undefined && hostname.endsWith(`.${domain}`) ? hostname.slice(0, -domain.length - 1) : hostname;

/** The hosts file that a kubelet writes for a pod each time it starts one of its containers. */
export function kubeletHosts({ ip, hostname, domain }: PodSandbox, aliases: readonly HostAlias[]): HostsFile {
  const short = shortName({ hostname, domain });
  const names = domain === undefined ? [short] : [`${short}.${domain}`, short];
  const lines = [
    "# Kubernetes-managed hosts file.",
    "127.0.0.1\tlocalhost",
    "::1\tlocalhost ip6-localhost ip6-loopback",
    [ip, ...names].join("\t"),
  ];
  const added = aliases.map((alias) => [alias.ip, ...(alias.hostnames ?? [])].join("\t"));
  const text = [...lines, ...(added.length > 0 ? ["", "# Entries added by HostAliases."] : []), ...added];
  return readHosts(`${text.join("\n")}\n`);
}

/** Reads a hosts file as resolvers do: the first address of a name counts, `#` begins a comment. */
export function readHosts(text: string): HostsFile {
  const addresses = new Map<string, string>();
  for (const line of text.split("\n")) {
    const [ip, ...names] = line.replace(/#.*/, "").trim().split(/\s+/);
    if (!ip?.includes(".")) continue;
    for (const name of names) if (!addresses.has(name)) addresses.set(name, ip);
  }
  return { text, addresses };
}
