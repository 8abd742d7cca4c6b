import { BlockList } from "node:net";
import type { KubeObject } from "@microremed/kube";
import { type LabelSelector, selects } from "./selector.ts";

/** A pod as policies see it. */
export interface PolicyPod {
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly ip: string;
  /** Numbers of its named ports. */
  readonly ports: Readonly<Record<string, number>>;
}

/** One end of a connection: a pod, or an address outside the cluster. */
export type PolicyEnd = PolicyPod | { readonly ip: string };

interface Peer {
  readonly podSelector?: LabelSelector;
  readonly namespaceSelector?: LabelSelector;
  readonly ipBlock?: { readonly cidr: string; readonly except?: readonly string[] };
}

interface Rule {
  readonly from?: readonly Peer[];
  readonly to?: readonly Peer[];
  readonly ports?: readonly {
    readonly port?: number | string;
    readonly endPort?: number;
    readonly protocol?: string;
  }[];
}

interface Spec {
  readonly podSelector?: LabelSelector;
  readonly policyTypes?: readonly string[];
  readonly ingress?: readonly Rule[];
  readonly egress?: readonly Rule[];
}

/** Who refuses a connection. */
export type Refusal = "the way out of its pod" | "the way into the other";

/** Says of a TCP connection who refuses it; undefined: nobody. */
export type Judge = (from: PolicyEnd, to: PolicyEnd, port: number) => Refusal | undefined;

const isPod = (end: PolicyEnd): end is PolicyPod => "labels" in end;

/** What the NetworkPolicies among these objects allow, by Kubernetes' rules. Namespaces' labels are taken from them too. */
export function judgeOf(objects: readonly KubeObject[]): Judge {
  const policies = objects.filter(({ kind }) => kind === "NetworkPolicy");
  const labelsOf = (namespace: string): Record<string, string> => {
    const found = objects.find(({ kind, metadata }) => kind === "Namespace" && metadata.name === namespace);
    return { ...found?.metadata.labels, "kubernetes.io/metadata.name": namespace };
  };

  const isPeer = (peer: Peer, namespace: string, end: PolicyEnd): boolean => {
    if (peer.ipBlock) {
      const { cidr, except = [] } = peer.ipBlock;
      return inBlock(cidr, end.ip) && !except.some((hole) => inBlock(hole, end.ip));
    }
    if (!isPod(end)) return false;
    const there = peer.namespaceSelector
      ? selects(peer.namespaceSelector, labelsOf(end.namespace))
      : end.namespace === namespace;
    return there && selects(peer.podSelector ?? {}, end.labels);
  };

  /** Policies add up: a rule of one of them is enough; a pod that none selects is open. */
  const passes = (
    way: "ingress" | "egress",
    subject: PolicyEnd,
    other: PolicyEnd,
    to: PolicyEnd,
    port: number,
  ): boolean => {
    if (!isPod(subject)) return true;
    const isolating = policies.filter(
      ({ metadata, spec }) =>
        metadata.namespace === subject.namespace &&
        waysOf(spec as Spec).includes(way) &&
        selects((spec as Spec).podSelector ?? {}, subject.labels),
    );
    if (isolating.length === 0) return true;
    return isolating.some(({ spec }) =>
      ((spec as Spec)[way] ?? []).some((rule) => {
        const peers = (way === "ingress" ? rule.from : rule.to) ?? [];
        const isKnown = peers.length === 0 || peers.some((peer) => isPeer(peer, subject.namespace, other));
        return isKnown && isPortOf(rule, to, port);
      }),
    );
  };

  return (from, to, port) => {
    // No policy keeps a pod from itself.
    if (from.ip === to.ip) return undefined;
    if (!passes("egress", from, to, to, port)) return "the way out of its pod";
    return passes("ingress", to, from, to, port) ? undefined : "the way into the other";
  };
}

function waysOf({ policyTypes, egress }: Spec): string[] {
  const types = policyTypes ?? ["Ingress", ...(egress ? ["Egress"] : [])];
  return types.map((type) => type.toLowerCase());
}

function isPortOf({ ports = [] }: Rule, to: PolicyEnd, asked: number): boolean {
  if (ports.length === 0) return true;
  return ports.some(({ port, endPort, protocol = "TCP" }) => {
    if (protocol !== "TCP") return false;
    if (port === undefined) return true;
    const first = typeof port === "number" ? port : isPod(to) ? to.ports[port] : undefined;
    return first !== undefined && asked >= first && asked <= (endPort ?? first);
  });
}

function inBlock(cidr: string, ip: string): boolean {
  const [network = "", prefix = "32"] = cidr.split("/");
  const block = new BlockList();
  block.addSubnet(network, Number(prefix));
  return block.check(ip);
}
