import type { KubeObject, Pod } from "@microremed/cluster";
import { matchesSelector, type Policy, type PolicySpec, policyOf } from "@microremed/kube-rules";
import { cidrsWithout } from "./cidrs-without.ts";

/** What NetworkPolicies are about. */
export interface PolicyState {
  readonly pods: readonly Pod[];
  readonly namespaces: readonly KubeObject[];
  readonly policies: readonly KubeObject[];
}

/** Chains that packets between pods, and from pods to their node, go through. */
export const firewallChains = { FORWARD: "PODS-FORWARD", INPUT: "PODS-INPUT" } as const;

type Rule = NonNullable<Policy["ingress"]>[number];
type Peer = NonNullable<Rule["from"]>[number];
type Port = NonNullable<Rule["ports"]>[number];

/** A pod with an address of its own. */
interface Member {
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly ip: string;
  /** Numbers of its named ports. */
  readonly named: ReadonlyMap<string, number>;
}

/** A range of addresses on a connection's other end; that of a pod is its own. */
interface Block {
  readonly cidr: string;
  readonly pod?: Member;
}

/**
 * What `iptables-restore --noflush` takes to enforce the policies on a node: what none of them allows is dropped.
 * Connections that are open stay so, and what a node itself sends arrives, as everywhere.
 */
export function firewallOf(state: PolicyState): string {
  const members = state.pods.flatMap(memberOf);
  const policies = state.policies.map(({ metadata, spec }) =>
    policyOf(metadata.namespace ?? "", spec as PolicySpec),
  );
  const find = peerFinder(members, state.namespaces);
  const jumps: { egress: string[]; ingress: string[] } = { egress: [], ingress: [] };
  const chains: string[] = [];
  const rules: string[] = [];
  for (const member of members) {
    for (const direction of ["egress", "ingress"] as const) {
      const isolating = policies.filter((policy) => isolates(policy, direction, member));
      if (isolating.length === 0) continue;
      const [own, other] = direction === "egress" ? (["-s", "-d"] as const) : (["-d", "-s"] as const);
      const chain = `POD-${chains.length}`;
      chains.push(chain);
      jumps[direction].push(`${own} ${member.ip} -j ${chain}`);
      // No policy keeps a pod from itself.
      const allowed = new Set([`${other} ${member.ip}`]);
      for (const policy of isolating)
        for (const rule of policy[direction] ?? [])
          for (const block of blocksOf(rule, direction, policy, find))
            for (const port of portWords(rule, direction === "egress" ? block.pod : member))
              allowed.add(`${other} ${block.cidr}${port}`);
      rules.push(...[...allowed].map((words) => `-A ${chain} ${words} -j RETURN`), `-A ${chain} -j DROP`);
    }
  }
  const open = "-m conntrack --ctstate RELATED,ESTABLISHED -j RETURN";
  const { FORWARD, INPUT } = firewallChains;
  const lines = [
    ...[FORWARD, INPUT, ...chains].map((name) => `:${name} - [0:0]`),
    ...[open, ...jumps.egress, ...jumps.ingress].map((words) => `-A ${FORWARD} ${words}`),
    ...[open, ...jumps.egress].map((words) => `-A ${INPUT} ${words}`),
    ...rules,
  ];
  return `*filter\n${lines.join("\n")}\nCOMMIT\n`;
}

function memberOf({ metadata, spec, status }: Pod): Member[] {
  const ip = status?.podIP;
  const { hostNetwork } = (spec ?? {}) as { hostNetwork?: boolean };
  const isOver = status?.phase === "Succeeded" || status?.phase === "Failed";
  if (ip === undefined || hostNetwork === true || isOver) return [];
  const ports = (spec?.containers ?? []).flatMap(
    (container) => (container.ports ?? []) as readonly { name?: string; containerPort: number }[],
  );
  return [
    {
      namespace: metadata.namespace ?? "",
      labels: metadata.labels ?? {},
      ip,
      named: new Map(ports.map(({ name = "", containerPort }) => [name, containerPort])),
    },
  ];
}

const isolates = (policy: Policy, direction: "egress" | "ingress", { namespace, labels }: Member): boolean =>
  policy[direction] !== undefined &&
  policy.namespace === namespace &&
  matchesSelector(policy.podSelector, labels);

type FindPeers = (policy: Policy, peer: Peer) => readonly Block[];

function peerFinder(members: readonly Member[], namespaces: readonly KubeObject[]): FindPeers {
  const labels = new Map(namespaces.map(({ metadata }) => [metadata.name, metadata.labels ?? {}]));
  return (policy, { ipBlock, namespaceSelector, podSelector = {} }) => {
    // Pods have no address of IPv6 here.
    if (ipBlock?.cidr.includes(":")) return [];
    if (ipBlock) return cidrsWithout(ipBlock.cidr, ipBlock.except ?? []).map((cidr) => ({ cidr }));
    const isIn = (namespace: string): boolean =>
      namespaceSelector
        ? matchesSelector(namespaceSelector, labels.get(namespace))
        : namespace === policy.namespace;
    return members
      .filter((pod) => isIn(pod.namespace) && matchesSelector(podSelector, pod.labels))
      .map((pod) => ({ cidr: pod.ip, pod }));
  };
}

const anywhere: readonly Block[] = [{ cidr: "0.0.0.0/0" }];

function blocksOf(
  rule: Rule,
  direction: "egress" | "ingress",
  policy: Policy,
  find: FindPeers,
): readonly Block[] {
  const peers = direction === "egress" ? rule.to : rule.from;
  return peers?.length ? peers.flatMap((peer) => find(policy, peer)) : anywhere;
}

/** `to`: the pod whose names of ports count; undefined: none is known, and a name allows nothing. */
function portWords({ ports = [] }: Rule, to: Member | undefined): string[] {
  if (ports.length === 0) return [""];
  return ports.flatMap(({ port, endPort, protocol = "TCP" }: Port) => {
    const words = ` -p ${protocol.toLowerCase()}`;
    if (port === undefined) return [words];
    const first = typeof port === "number" ? port : to?.named.get(port);
    return first === undefined ? [] : [`${words} --dport ${first}:${endPort ?? first}`];
  });
}
