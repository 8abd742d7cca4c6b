import { type LabelSelector, matchesSelector } from "@microremed/kube-rules";
import { isFinished, isTerminating, type KubeObject } from "@microremed/sim-objects";
import { domainOf, type Neighbourhood } from "./neighbourhood.ts";

interface Spread {
  readonly maxSkew: number;
  readonly topologyKey: string;
  readonly whenUnsatisfiable: string;
  readonly labelSelector?: LabelSelector;
  readonly minDomains?: number;
}

/** How a pod's topology spread constraints see a node. */
interface SpreadVerdict {
  reason(node: KubeObject): string | undefined;
  /** Sum over the constraints of how many pods more than the emptiest domain the node's would hold. */
  skew(node: KubeObject): number;
}

/** Judges all nodes by a pod's topology spread constraints. */
export function judgeSpread(pod: KubeObject, around: Neighbourhood): SpreadVerdict {
  const spreads = ((pod.spec.topologySpreadConstraints ?? []) as readonly Spread[]).map((spread) => ({
    ...spread,
    skew: skewOf(spread, pod, around),
  }));
  return {
    reason(node) {
      for (const spread of spreads) {
        if (spread.whenUnsatisfiable === "ScheduleAnyway") continue;
        const domain = domainOf(node, spread.topologyKey);
        const base = "node(s) didn't match pod topology spread constraints";
        if (domain === undefined) return `${base} (missing required label)`;
        if (spread.skew(domain) > spread.maxSkew) return base;
      }
      return undefined;
    },
    skew: (node) =>
      spreads.reduce((sum, spread) => {
        const domain = domainOf(node, spread.topologyKey);
        return sum + (domain === undefined ? 0 : spread.skew(domain));
      }, 0),
  };
}

/** Skew of a domain with the pod in it. */
function skewOf(spread: Spread, pod: KubeObject, around: Neighbourhood): (domain: string) => number {
  const counts = new Map<string, number>();
  for (const node of around.nodes.values()) {
    const domain = domainOf(node, spread.topologyKey);
    if (domain !== undefined && around.eligible(node)) counts.set(domain, counts.get(domain) ?? 0);
  }
  for (const each of around.placed) {
    const domain = domainOf(around.nodes.get(each.spec.nodeName), spread.topologyKey);
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
  return (domain) => (counts.get(domain) ?? 0) + own - fewest;
}
