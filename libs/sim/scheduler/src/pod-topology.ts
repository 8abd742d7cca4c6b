import { type LabelSelector, matchesSelector } from "@microremed/kube-rules";
import { isFinished, isTerminating, type KubeObject } from "@microremed/sim-objects";

interface Term {
  readonly labelSelector?: LabelSelector;
  readonly topologyKey: string;
  readonly namespaces?: readonly string[];
  readonly namespaceSelector?: LabelSelector;
}

interface Weighted {
  readonly weight: number;
  readonly podAffinityTerm: Term;
}

interface Spread {
  readonly maxSkew: number;
  readonly topologyKey: string;
  readonly whenUnsatisfiable: string;
  readonly labelSelector?: LabelSelector;
  readonly minDomains?: number;
}

/** What the scheduler knows of pods and nodes besides resources. */
export interface Neighbourhood {
  /** Pods that are bound to a node and not finished. */
  readonly placed: readonly KubeObject[];
  readonly nodes: ReadonlyMap<string, KubeObject>;
  namespaceLabels(name: string): Readonly<Record<string, string>> | undefined;
  /** Nodes that the pod's own selectors allow: only they are domains to spread over. */
  eligible(node: KubeObject): boolean;
}

/** Why pods elsewhere speak against a node, in the scheduler's words; and how much they speak for it. */
export interface TopologyVerdict {
  reason(node: KubeObject): string | undefined;
  /** Sum of preferred terms, -100..100 and more. */
  score(node: KubeObject): number;
}

/** Of a pod that minds no other. */
export const indifferent: TopologyVerdict = { reason: () => undefined, score: () => 0 };

type Half = "podAffinity" | "podAntiAffinity";

const required = (pod: KubeObject, half: Half): readonly Term[] =>
  pod.spec.affinity?.[half]?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
const preferred = (pod: KubeObject, half: Half): readonly Weighted[] =>
  pod.spec.affinity?.[half]?.preferredDuringSchedulingIgnoredDuringExecution ?? [];

/** Judges all nodes for one pod: affinity and anti-affinity both ways, and topology spread. */
export function judgeTopology(pod: KubeObject, around: Neighbourhood): TopologyVerdict {
  const domainOf = (node: KubeObject | undefined, key: string): string | undefined =>
    node?.metadata.labels?.[key];
  const home = (each: KubeObject): KubeObject | undefined => around.nodes.get(each.spec.nodeName);

  function selects(term: Term, owner: KubeObject, other: KubeObject): boolean {
    const namespace = other.metadata.namespace ?? "";
    const everywhere = term.namespaceSelector;
    const inScope =
      term.namespaces?.includes(namespace) ||
      (everywhere
        ? matchesSelector(everywhere, around.namespaceLabels(namespace))
        : !term.namespaces?.length && namespace === owner.metadata.namespace);
    return Boolean(inScope) && matchesSelector(term.labelSelector, other.metadata.labels);
  }

  /** Domains of a term's key that hold a pod the term selects. */
  function domains(term: Term, pods: readonly KubeObject[], hits: (each: KubeObject) => boolean) {
    const found = new Set<string>();
    for (const each of pods) {
      const domain = domainOf(home(each), term.topologyKey);
      if (domain !== undefined && hits(each)) found.add(domain);
    }
    return found;
  }

  const attracting = required(pod, "podAffinity").map((term) => ({
    key: term.topologyKey,
    in: domains(term, around.placed, (each) => selects(term, pod, each)),
    // The first pod of a group that wants to be together may go anywhere.
    first: !around.placed.some((each) => selects(term, pod, each)) && selects(term, pod, pod),
  }));
  const repelling = required(pod, "podAntiAffinity").map((term) => ({
    key: term.topologyKey,
    in: domains(term, around.placed, (each) => selects(term, pod, each)),
  }));
  const repelled = around.placed.flatMap((each) =>
    required(each, "podAntiAffinity")
      .filter((term) => selects(term, each, pod))
      .map((term) => ({ key: term.topologyKey, domain: domainOf(home(each), term.topologyKey) })),
  );
  const spreads = ((pod.spec.topologySpreadConstraints ?? []) as readonly Spread[]).map(spreadOf);

  function spreadOf(spread: Spread) {
    const counts = new Map<string, number>();
    for (const node of around.nodes.values()) {
      const domain = domainOf(node, spread.topologyKey);
      if (domain !== undefined && around.eligible(node)) counts.set(domain, counts.get(domain) ?? 0);
    }
    for (const each of around.placed) {
      const domain = domainOf(home(each), spread.topologyKey);
      const counted =
        each.metadata.namespace === pod.metadata.namespace &&
        !isTerminating(each) &&
        !isFinished(each) &&
        matchesSelector(spread.labelSelector, each.metadata.labels);
      if (counted && domain !== undefined && counts.has(domain))
        counts.set(domain, (counts.get(domain) ?? 0) + 1);
    }
    const fewest = counts.size < (spread.minDomains ?? 1) ? 0 : Math.min(...counts.values());
    const own = matchesSelector(spread.labelSelector, pod.metadata.labels) ? 1 : 0;
    return { ...spread, skew: (domain: string) => (counts.get(domain) ?? 0) + own - fewest };
  }

  function spreadReason(node: KubeObject): string | undefined {
    for (const spread of spreads) {
      if (spread.whenUnsatisfiable === "ScheduleAnyway") continue;
      const domain = domainOf(node, spread.topologyKey);
      const base = "node(s) didn't match pod topology spread constraints";
      if (domain === undefined) return `${base} (missing required label)`;
      if (spread.skew(domain) > spread.maxSkew) return base;
    }
    return undefined;
  }

  return {
    reason(node) {
      const spread = spreadReason(node);
      if (spread) return spread;
      const at = (key: string): string | undefined => domainOf(node, key);
      const holds = (group: ReadonlySet<string>, key: string): boolean => group.has(at(key) ?? "\0");
      if (attracting.some((each) => at(each.key) === undefined || !(each.first || holds(each.in, each.key))))
        return "node(s) didn't match pod affinity rules";
      if (repelling.some((each) => holds(each.in, each.key)))
        return "node(s) didn't match pod anti-affinity rules";
      if (repelled.some(({ key, domain }) => domain !== undefined && domain === at(key)))
        return "node(s) didn't satisfy existing pods anti-affinity rules";
      return undefined;
    },
    score(node) {
      const weigh = (half: Half): number =>
        preferred(pod, half).reduce((sum, { weight, podAffinityTerm: term }) => {
          const near = domains(term, around.placed, (each) => selects(term, pod, each));
          return sum + (near.has(domainOf(node, term.topologyKey) ?? "\0") ? weight : 0);
        }, 0);
      const uneven = spreads.reduce((sum, spread) => {
        const domain = domainOf(node, spread.topologyKey);
        return sum + (domain === undefined ? 0 : spread.skew(domain));
      }, 0);
      return weigh("podAffinity") - weigh("podAntiAffinity") - 10 * uneven;
    },
  };
}
