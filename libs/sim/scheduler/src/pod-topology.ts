import { type LabelSelector, matchesSelector } from "@microremed/kube-rules";
import type { KubeObject } from "@microremed/sim-objects";
import { domainOf, type Neighbourhood } from "./neighbourhood.ts";
import { judgeSpread } from "./topology-spread.ts";

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
  const spread = judgeSpread(pod, around);

  return {
    reason(node) {
      const uneven = spread.reason(node);
      if (uneven) return uneven;
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
      return weigh("podAffinity") - weigh("podAntiAffinity") - 10 * spread.skew(node);
    },
  };
}
