import type { Rng } from "@microremed/core";
import type { PolicyPort } from "@microremed/kube-rules";
import type { Machine, PodSandbox } from "@microremed/sim-machine";
import {
  backends,
  isNodeIp,
  type Link,
  linkBetween,
  loopbackLink,
  type NetworkPolicies,
  type PolicyEnd,
  podAt,
  resolveHost,
  type ServiceDirectory,
} from "@microremed/sim-network";

/** One round trip to a well-known address on the Internet, ms; nothing else outside answers. */
const internetRttMs = 12;
const internetHosts = new Set(["8.8.8.8", "8.8.4.4", "1.1.1.1"]);

/** Who sends: a pod, or a node itself. */
export type End = PodSandbox | "node";

/** Where a dialled address leads. */
export type Destination =
  | {
      readonly kind: "pod";
      readonly sandbox: PodSandbox;
      readonly port: number;
      readonly link: Link;
      /** By which of its addresses. */
      readonly by: "pod" | "localhost";
    }
  | { readonly kind: "internet"; readonly link: Link }
  | { readonly kind: "refused" }
  | { readonly kind: "unreachable" }
  | { readonly kind: "unknown" };

/** Where names and addresses lead, as name service, Services and policies have it. */
export interface Dialler {
  /** Name or address -> addresses; empty: there is no such host. */
  resolve(from: End, host: string): readonly string[];
  locate(from: End, host: string, port: number): Destination;
  /** The way of an echo; undefined: no answer. */
  pingLink(from: End, ip: string): Link | undefined;
}

interface DialDeps {
  readonly machine: Machine;
  readonly directory: ServiceDirectory;
  readonly policies: NetworkPolicies;
  readonly rng: Rng;
}

export function createDialler({ machine, directory, policies, rng }: DialDeps): Dialler {
  const resolve = (from: End, host: string): readonly string[] =>
    resolveHost(directory, from, host, from === "node" || policies.admitsDns(from));
  const admits = (from: End, to: PolicyEnd, port: PolicyPort): boolean =>
    from === "node" || policies.admits(from, to, port);

  function locate(from: End, host: string, port: number): Destination {
    const addresses = resolve(from, host);
    if (addresses.length === 0) return { kind: "unknown" };
    const ip = rng.pick(addresses);
    if (ip.startsWith("127."))
      return from === "node"
        ? { kind: "refused" }
        : { kind: "pod", sandbox: from, port, link: loopbackLink, by: "localhost" };
    if (internetHosts.has(ip)) {
      const open = admits(from, { ip }, { protocol: "TCP", port });
      return open ? { kind: "internet", link: internetLink(from, ip) } : { kind: "unreachable" };
    }
    const choices = backends(directory, machine, ip, port, from === "node" ? undefined : from.nodeName);
    if (choices === undefined) return { kind: "unreachable" };
    // kube-proxy answers for a service without endpoints with a reset.
    if (choices.length === 0) return { kind: "refused" };
    const choice = rng.pick(choices);
    if (choice.isDropped) return { kind: "unreachable" };
    const sandbox = podAt(machine, choice.ip, choice.port);
    if (!sandbox && isNodeIp(choice.ip)) return { kind: "refused" };
    if (!sandbox || sandbox.isDown || !admits(from, sandbox, { protocol: "TCP", port: choice.port }))
      return { kind: "unreachable" };
    return { kind: "pod", sandbox, port: choice.port, link: linkBetween(from, sandbox, ip), by: "pod" };
  }

  /** A cluster IP is a rule for TCP and UDP ports: an echo gets no answer. */
  function pingLink(from: End, ip: string): Link | undefined {
    if (ip.startsWith("127.")) return loopbackLink;
    const sandbox = machine.byIp(ip);
    if (!admits(from, sandbox ?? { ip }, "icmp")) return undefined;
    if (internetHosts.has(ip)) return internetLink(from, ip);
    if (!sandbox && isNodeIp(ip)) return linkBetween(from, "node", ip);
    return sandbox && !sandbox.isDown ? linkBetween(from, sandbox, ip) : undefined;
  }

  return { resolve, locate, pingLink };
}

function internetLink(from: End, ip: string): Link {
  const link = linkBetween(from, "node", ip);
  return { request: link.request, reply: { ...link.reply, delayMs: link.reply.delayMs + internetRttMs } };
}
