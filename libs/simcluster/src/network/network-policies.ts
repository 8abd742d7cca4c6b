import { type LabelSelector, matchesSelector } from "../controllers/label-selector.ts";
import type { EventLoop } from "../event-loop.types.ts";
import type { PodSandbox } from "../machine.ts";
import type { KubeObject } from "../objects.ts";
import { resources } from "../resources.ts";
import type { Store } from "../store.types.ts";
import { inCidr } from "./cidr.ts";

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

interface Policy {
  readonly namespace: string;
  readonly podSelector: LabelSelector;
  readonly ingress: readonly Rule[] | undefined;
  readonly egress: readonly Rule[] | undefined;
}

type PolicyPod = Pick<PodSandbox, "uid" | "namespace" | "name" | "labels" | "ip" | "hostNetwork">;

/** One end of a connection: a pod, or an address outside the pod network. */
export type PolicyEnd = PolicyPod | { readonly ip: string };

/** `icmp`: an echo, which only rules without ports let through. */
export type PolicyPort = { readonly protocol: "TCP" | "UDP"; readonly port: number } | "icmp";

/** Where the cluster's name server runs, as far as policies are concerned. */
const nameServer: PolicyPod = {
  uid: "kube-dns",
  namespace: "kube-system",
  name: "coredns",
  labels: { "k8s-app": "kube-dns" },
  ip: "10.244.1.1",
  hostNetwork: false,
};

/** A client out on the Internet (TEST-NET-1). */
export const outsideClient: PolicyEnd = { ip: "192.0.2.10" };

/** What the network plugin enforces of the NetworkPolicies. */
export interface NetworkPolicies {
  /** Grows when an answer may have changed. */
  readonly revision: number;
  /** Whether a connection may be opened. What comes from the pod's own node (the kubelet's probes) is not to be asked. */
  admits(from: PolicyEnd, to: PolicyEnd, port: PolicyPort): boolean;
  /** Whether a pod's questions reach the name server. */
  admitsDns(from: PolicyEnd): boolean;
}

const sameLabels = (a: KubeObject | undefined, b: KubeObject): boolean =>
  JSON.stringify(a?.metadata.labels) === JSON.stringify(b.metadata.labels);

const isPod = (end: PolicyEnd): end is PolicyPod => "uid" in end;

/** Follows a store's NetworkPolicies and the labels that they select by. */
export function createNetworkPolicies(
  store: Store,
  { keep }: Pick<EventLoop, "keep">,
): NetworkPolicies & Disposable {
  const present = keep<{ revision: number; policies: readonly Policy[] | undefined }>({
    revision: 0,
    policies: undefined,
  });
  const changed = (): void => {
    present.revision++;
    present.policies = undefined;
  };
  const stops = [
    store.watch(resources.networkPolicies, changed),
    ...[resources.namespaces, resources.pods].map((ref) =>
      store.watch(ref, (event) => {
        const known = event.type === "DELETED" ? event.object : event.previous;
        if (policies().length > 0 && known && !sameLabels(known, event.object)) changed();
      }),
    ),
  ];

  function policies(): readonly Policy[] {
    present.policies ??= store.list(resources.networkPolicies).map(policyOf);
    return present.policies;
  }

  function selecting(pod: PolicyPod, direction: "ingress" | "egress"): readonly Policy[] {
    return policies().filter(
      (policy) =>
        policy[direction] !== undefined &&
        policy.namespace === pod.namespace &&
        matchesSelector(policy.podSelector, pod.labels),
    );
  }

  function isPeer(policy: Policy, peer: Peer, end: PolicyEnd): boolean {
    if (peer.ipBlock) {
      const { cidr, except = [] } = peer.ipBlock;
      return inCidr(cidr, end.ip) && !except.some((hole) => inCidr(hole, end.ip));
    }
    if (!isPod(end)) return false;
    const inNamespace = peer.namespaceSelector
      ? matchesSelector(
          peer.namespaceSelector,
          store.get(resources.namespaces, undefined, end.namespace)?.metadata.labels,
        )
      : end.namespace === policy.namespace;
    return inNamespace && (!peer.podSelector || matchesSelector(peer.podSelector, end.labels));
  }

  function portNumber(to: PolicyEnd, port: number | string): number | undefined {
    if (typeof port === "number" || !isPod(to)) return Number(port);
    const pod = store.get(resources.pods, to.namespace, to.name);
    const containers: readonly { ports?: readonly { name?: string; containerPort: number }[] }[] =
      pod?.spec.containers ?? [];
    return containers.flatMap(({ ports = [] }) => ports).find(({ name }) => name === port)?.containerPort;
  }

  function isPort(rule: Rule, to: PolicyEnd, asked: PolicyPort): boolean {
    if (!rule.ports?.length) return true;
    if (asked === "icmp") return false;
    return rule.ports.some(({ port, endPort, protocol = "TCP" }) => {
      if (protocol !== asked.protocol) return false;
      if (port === undefined) return true;
      const first = portNumber(to, port);
      return first !== undefined && asked.port >= first && asked.port <= (endPort ?? first);
    });
  }

  /** Policies add up: one rule of one of them is enough; a pod that none selects is open. */
  function passes(
    subject: PolicyEnd,
    direction: "ingress" | "egress",
    other: PolicyEnd,
    to: PolicyEnd,
    port: PolicyPort,
  ): boolean {
    if (!isPod(subject) || subject.hostNetwork) return true;
    const isolating = selecting(subject, direction);
    if (isolating.length === 0) return true;
    return isolating.some((policy) =>
      (policy[direction] ?? []).some((rule) => {
        const peers = direction === "ingress" ? rule.from : rule.to;
        const known = !peers?.length || peers.some((peer) => isPeer(policy, peer, other));
        return known && isPort(rule, to, port);
      }),
    );
  }

  const admits = (from: PolicyEnd, to: PolicyEnd, port: PolicyPort): boolean =>
    policies().length === 0 ||
    from === to ||
    (passes(from, "egress", to, to, port) && passes(to, "ingress", from, to, port));

  return {
    get revision() {
      return present.revision;
    },
    admits,
    admitsDns: (from) => admits(from, nameServer, { protocol: "UDP", port: 53 }),
    [Symbol.dispose]: () => {
      for (const stop of stops) stop();
    },
  };
}

function policyOf({ metadata, spec }: KubeObject): Policy {
  const types: readonly string[] = spec?.policyTypes ?? ["Ingress", ...(spec?.egress ? ["Egress"] : [])];
  return {
    namespace: metadata.namespace ?? "",
    podSelector: spec?.podSelector ?? {},
    ingress: types.includes("Ingress") ? (spec?.ingress ?? []) : undefined,
    egress: types.includes("Egress") ? (spec?.egress ?? []) : undefined,
  };
}
