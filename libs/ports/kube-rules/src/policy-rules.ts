import { inCidr } from "./cidr.ts";
import { type LabelSelector, matchesSelector } from "./label-selector.ts";

type Labels = Readonly<Record<string, string>>;

/** A pod as policies see it. */
export interface PolicyPod {
  readonly namespace: string;
  readonly labels: Labels;
  readonly ip: string;
  /** Policies do not concern pods in their node's network. */
  readonly hostNetwork?: boolean;
}

/** One end of a connection: a pod, or an address outside the pod network. */
export type PolicyEnd<Pod extends PolicyPod = PolicyPod> = Pod | { readonly ip: string };

/** `icmp`: an echo, which only rules without ports let through. */
export type PolicyPort = { readonly protocol: "TCP" | "UDP"; readonly port: number } | "icmp";

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

/** As NetworkPolicy's `spec` has it. */
export interface PolicySpec {
  readonly podSelector?: LabelSelector;
  readonly policyTypes?: readonly string[];
  readonly ingress?: readonly Rule[];
  readonly egress?: readonly Rule[];
}

export type Direction = "ingress" | "egress";

/** A NetworkPolicy; of a direction that it says nothing of it has no rules at all. */
export interface Policy {
  readonly namespace: string;
  readonly podSelector: LabelSelector;
  readonly ingress: readonly Rule[] | undefined;
  readonly egress: readonly Rule[] | undefined;
}

/** What is decided by. */
export interface PolicyCluster<Pod extends PolicyPod> {
  policies(): readonly Policy[];
  labelsOf(namespace: string): Labels | undefined;
  /** Number of a pod's named port. */
  portOf(pod: Pod, name: string): number | undefined;
}

/**
 * The policy that a NetworkPolicy's spec describes. Without `policyTypes` it is about ingress, and about egress if it
 * has egress rules.
 */
export function policyOf(namespace: string, spec: PolicySpec = {}): Policy {
  const { podSelector = {}, ingress = [], egress = [] } = spec;
  const types = spec.policyTypes ?? ["Ingress", ...(spec.egress ? ["Egress"] : [])];
  return {
    namespace,
    podSelector,
    ingress: types.includes("Ingress") ? ingress : undefined,
    egress: types.includes("Egress") ? egress : undefined,
  };
}

const isPod = <Pod extends PolicyPod>(end: PolicyEnd<Pod>): end is Pod => "labels" in end;

/** The way on which policies stop a connection, its own pod's first; undefined: it may be opened. */
export function refusedWay<Pod extends PolicyPod>(
  cluster: PolicyCluster<Pod>,
  from: PolicyEnd<Pod>,
  to: PolicyEnd<Pod>,
  port: PolicyPort,
): Direction | undefined {
  if (!passes(cluster, "egress", from, to, to, port)) return "egress";
  return passes(cluster, "ingress", to, from, to, port) ? undefined : "ingress";
}

/** Policies add up: one rule of one of them is enough; a pod that none selects is open. */
function passes<Pod extends PolicyPod>(
  cluster: PolicyCluster<Pod>,
  direction: Direction,
  subject: PolicyEnd<Pod>,
  other: PolicyEnd<Pod>,
  to: PolicyEnd<Pod>,
  port: PolicyPort,
): boolean {
  if (!isPod(subject) || subject.hostNetwork) return true;
  const isolating = cluster
    .policies()
    .filter(
      (policy) =>
        policy[direction] !== undefined &&
        policy.namespace === subject.namespace &&
        matchesSelector(policy.podSelector, subject.labels),
    );
  if (isolating.length === 0) return true;
  return isolating.some((policy) =>
    (policy[direction] ?? []).some((rule) => {
      const peers = direction === "ingress" ? rule.from : rule.to;
      const known = !peers?.length || peers.some((peer) => isPeer(cluster, policy, peer, other));
      return known && isPort(cluster, rule, to, port);
    }),
  );
}

function isPeer<Pod extends PolicyPod>(
  cluster: PolicyCluster<Pod>,
  policy: Policy,
  { ipBlock, namespaceSelector, podSelector }: Peer,
  end: PolicyEnd<Pod>,
): boolean {
  if (ipBlock) {
    const { cidr, except = [] } = ipBlock;
    return inCidr(cidr, end.ip) && !except.some((hole) => inCidr(hole, end.ip));
  }
  if (!isPod(end)) return false;
  const inNamespace = namespaceSelector
    ? matchesSelector(namespaceSelector, cluster.labelsOf(end.namespace))
    : end.namespace === policy.namespace;
  return inNamespace && (!podSelector || matchesSelector(podSelector, end.labels));
}

function isPort<Pod extends PolicyPod>(
  cluster: PolicyCluster<Pod>,
  rule: Rule,
  to: PolicyEnd<Pod>,
  asked: PolicyPort,
): boolean {
  if (!rule.ports?.length) return true;
  if (asked === "icmp") return false;
  return rule.ports.some(({ port, endPort, protocol = "TCP" }) => {
    if (protocol !== asked.protocol) return false;
    if (port === undefined) return true;
    const first = typeof port === "number" || !isPod(to) ? Number(port) : cluster.portOf(to, port);
    return first !== undefined && asked.port >= first && asked.port <= (endPort ?? first);
  });
}
