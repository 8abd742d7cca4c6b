import type { KubeObject } from "@microremed/cluster";
import { judgeOf, type PolicyEnd, type PolicyPod } from "../policies/network-policies.ts";
import type { PodLink } from "./machine/pod-network.ts";
import type { SocketAddress } from "./machine/sockets.ts";
import type { Workload } from "./site-objects.ts";

/** Holds the connections that pods make against the NetworkPolicies of their manifests. */
export interface ConnectionWatch {
  /** A pod that may be asked from now on; its address is known for good. */
  add(pod: { readonly name: string; readonly ip: string; readonly workload: Workload }, link: PodLink): void;
  /** Reads the connections of a pod, for the last time when it has ended. The kernel remembers a minute. */
  check(ip: string): Promise<void>;
  checkAll(): Promise<void>;
  /** How many different connections were seen. */
  readonly seen: number;
  /** Sentences about those that no policy allows, and about declared ports that no port-forward would reach. */
  readonly refused: readonly string[];
}

interface Watched {
  readonly name: string;
  readonly end: PolicyPod;
  readonly link: PodLink;
  /** Connections to these ports are others'. */
  readonly ports: Set<number>;
}

/** Declared ports with a program that listens, but not where the kubelet dials for a port-forward. */
function unreachable({ ports }: PolicyPod, listening: readonly SocketAddress[]): number[] {
  return Object.values(ports).filter((port) => {
    const found = listening.filter((one) => one.port === port);
    return found.length > 0 && !found.some(({ ip }) => ip === "0.0.0.0" || ip.startsWith("127."));
  });
}

/** `node`: the address of this machine, from where the kubelet and port-forwards come, which policies never keep out. */
export function createConnectionWatch(objects: readonly KubeObject[], node: string): ConnectionWatch {
  const judge = judgeOf(objects);
  const watched = new Map<string, Watched>();
  const seen = new Set<string>();
  const refused: string[] = [];

  const endOf = (ip: string): PolicyEnd => watched.get(ip)?.end ?? { ip };
  const nameOf = (ip: string): string => watched.get(ip)?.name ?? ip;
  const note = (from: string, to: string, port: number): void => {
    const what = `${nameOf(from)} -> ${nameOf(to)}:${port}`;
    if (seen.has(what)) return;
    seen.add(what);
    const refusal = judge(endOf(from), endOf(to), port);
    if (refusal) refused.push(`${what}: no network policy lets it through ${refusal}`);
  };
  const check = async (ip: string): Promise<void> => {
    const pod = watched.get(ip);
    if (!pod) return;
    const { link, ports, end } = pod;
    const { listening, connections } = await link.sockets();
    for (const { port } of listening) ports.add(port);
    for (const port of unreachable(end, listening)) {
      const sentence = `${nameOf(ip)} listens to port ${port} on ${ip} alone: a port-forward arrives at localhost`;
      if (!refused.includes(sentence)) refused.push(sentence);
    }
    for (const { local, remote } of connections) {
      // Inside of a pod, and what the node asks of it.
      if (local.ip !== ip || remote.ip === ip) continue;
      if (!ports.has(local.port)) note(ip, remote.ip, remote.port);
      else if (remote.ip !== node) note(remote.ip, ip, local.port);
    }
  };

  return {
    add({ name, ip, workload }, link) {
      const { namespace, labels, spec } = workload;
      const ports = spec.containers.flatMap((one) => one.ports ?? []);
      const named = ports.flatMap(({ name: port, containerPort }) =>
        port === undefined ? [] : [[port, containerPort] as const],
      );
      const end = { namespace, labels, ip, ports: Object.fromEntries(named) };
      watched.set(ip, { name: `${namespace}/${name}`, end, link, ports: new Set() });
    },
    check,
    checkAll: async () => {
      await Promise.all([...watched.keys()].map(check));
    },
    get seen() {
      return seen.size;
    },
    refused,
  };
}
