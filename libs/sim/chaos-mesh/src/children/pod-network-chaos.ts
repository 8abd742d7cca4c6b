import type { Netem, PacketDrop, PodSandbox } from "@microremed/sim-machine";
import type { KubeObject } from "@microremed/sim-objects";
import { parseGoDuration } from "@microremed/sim-time";
import { parseRate } from "../model/byte-size.ts";
import type { ChaosDeps } from "../model/chaos-kind.types.ts";
import type { ChildSpecification } from "./child-controller.ts";

/** The parameters of tc as NetworkChaos spells them; percentages are strings. */
export interface TcParameters {
  readonly delay?: { readonly latency?: string; readonly jitter?: string };
  readonly loss?: { readonly loss?: string };
  readonly duplicate?: { readonly duplicate?: string };
  readonly corrupt?: { readonly corrupt?: string };
  readonly rate?: { readonly rate?: string };
  readonly bandwidth?: { readonly rate?: string; readonly limit?: number; readonly buffer?: number };
}

export interface TcRule extends TcParameters {
  readonly type: "netem" | "bandwidth";
  /** Name of an ipset of the same spec: only packets to its members. */
  readonly ipset?: string;
  readonly device?: string;
  /** `namespace/name` of the NetworkChaos that wants it. */
  readonly source: string;
}

export interface IptablesRule {
  readonly name: string;
  readonly direction: "INPUT" | "OUTPUT";
  readonly ipsets?: readonly string[];
  readonly source: string;
}

export interface IpSet {
  readonly name: string;
  readonly cidrs: readonly string[];
  readonly source: string;
}

export interface PodNetworkSpec {
  readonly tcs?: readonly TcRule[];
  readonly iptables?: readonly IptablesRule[];
  readonly ipsets?: readonly IpSet[];
}

/** Marks what PodNetworkChaos put on a sandbox, so that the next call can flush it. */
const networkOwner = "chaos-daemon";

/** The daemon's side of PodNetworkChaos: flushes ipsets, iptables and tc of the pod and sets them again. */
export function podNetworkChaos({ machine }: ChaosDeps): ChildSpecification {
  return {
    kind: "PodNetworkChaos",
    plural: "podnetworkchaos",
    callMs: [400, 800],
    enforce(child) {
      const { namespace = "", name } = child.metadata;
      const where = `failed to apply for pod ${namespace}/${name}`;
      const sandbox = machine.byPod(namespace, name);
      if (!sandbox) throw new Error(`${where}: unable to flush ip sets for pod ${name}`);
      if (sandbox.hostNetwork)
        throw new Error(
          `${where}: It's dangerous to inject network chaos on a pod(${namespace}/${name}) with \`hostNetwork\``,
        );
      setRules(sandbox, child.spec ?? {}, where, child);
      return undefined;
    },
  };
}

function setRules(sandbox: PodSandbox, spec: PodNetworkSpec, where: string, child: KubeObject): void {
  const members = new Map((spec.ipsets ?? []).map(({ name, cidrs }) => [name, cidrs.map(bareAddress)]));
  const netem = (spec.tcs ?? []).map((rule) => netemOf(rule, members, where, child.metadata.name));
  const drops = (spec.iptables ?? []).map((rule) => dropOf(rule, members));
  keepForeign(sandbox.netem, netem);
  keepForeign(sandbox.drops, drops);
}

function keepForeign<T extends { readonly owner: string }>(list: T[], own: readonly T[]): void {
  const foreign = list.filter((item) => item.owner !== networkOwner);
  list.splice(0, list.length, ...foreign, ...own);
}

const bareAddress = (cidr: string): string => cidr.replace(/\/32$/, "");

function dropOf(rule: IptablesRule, members: ReadonlyMap<string, readonly string[]>): PacketDrop {
  const direction = rule.direction === "INPUT" ? "in" : "out";
  if (!rule.ipsets?.length) return { owner: networkOwner, direction };
  return {
    owner: networkOwner,
    direction,
    peerPodIps: rule.ipsets.flatMap((name) => members.get(name) ?? []),
  };
}

/** tc's netem parameters as numbers; throws when tc would refuse them. */
function netemOf(
  rule: TcRule,
  members: ReadonlyMap<string, readonly string[]>,
  where: string,
  pod: string,
): Netem {
  const { delay, loss, duplicate, corrupt, rate, bandwidth } = rule;
  if (rule.type === "netem" && !delay && !loss && !duplicate && !corrupt && !rate)
    throw new Error(
      `${where}: invalid spec for netem action, at least one is required from delay, loss, duplicate, corrupt`,
    );
  const share = (percent: string | undefined): number => {
    const number = Number(percent ?? 0) / 100;
    if (!(number >= 0 && number <= 1)) throw new Error(`${where}: unable to set tcs for pod ${pod}`);
    return number;
  };
  const limit = rate?.rate ?? bandwidth?.rate;
  return {
    owner: networkOwner,
    delayMs: parseGoDuration(delay?.latency ?? "0"),
    jitterMs: parseGoDuration(delay?.jitter || "0"),
    loss: share(loss?.loss),
    corrupt: share(corrupt?.corrupt),
    duplicate: share(duplicate?.duplicate),
    ...(limit && { rate: parseRate(limit) }),
    ...(rule.ipset && { toPodIps: members.get(rule.ipset) ?? [] }),
  };
}
