import { isReady, type KubeObject } from "@microremed/sim-objects";

/** kube-controller-manager's --node-eviction-rate and --secondary-node-eviction-rate, nodes a second. */
const normalRate = 0.1;
const reducedRate = 0.01;
/** Its --large-cluster-size-threshold: smaller zones stop altogether where large ones slow down. */
const largeZone = 50;
/** Its --unhealthy-zone-threshold. */
const unhealthyShare = 0.55;

/** A zone's nodes may be tainted NoExecute one at a time. */
export interface Limiter {
  /** Nodes a second; 0: none. */
  readonly rate: number;
  /** When the next one may be, cluster time, ms. */
  readonly nextAt: number;
}

/** A node's zone, as its labels say; nodes without labels are in one zone together. */
export function zoneOf({ metadata: { labels = {} } }: KubeObject): string {
  return `${labels["topology.kubernetes.io/region"] ?? ""}/${labels["topology.kubernetes.io/zone"] ?? ""}`;
}

function rateOf(nodes: readonly KubeObject[]): number {
  const lost = nodes.filter((node) => !isReady(node)).length;
  const isUnhealthy = lost < nodes.length && lost > 2 && lost / nodes.length >= unhealthyShare;
  if (!isUnhealthy) return normalRate;
  return nodes.length > largeZone ? reducedRate : 0;
}

/** Where no node answers, it is more likely the control plane that is cut off: nothing is evicted at all. */
export function allDisrupted(nodes: readonly KubeObject[]): boolean {
  return nodes.length > 0 && !nodes.some(isReady);
}

/** How many nodes a second are tainted in each zone: fewer, or none, while most of a zone is down. */
export function zoneRates(nodes: readonly KubeObject[]): ReadonlyMap<string, number> {
  const zones = Map.groupBy(nodes, zoneOf);
  const everywhere = allDisrupted(nodes);
  return new Map([...zones].map(([zone, members]) => [zone, everywhere ? 0 : rateOf(members)]));
}

/** A limiter at a new rate: what had nothing to give before has nothing at first. `now`: cluster time, ms. */
export function atRate(old: Limiter | undefined, rate: number, now: number): Limiter {
  if (old?.rate === rate) return old;
  const isEmpty = old !== undefined && (old.rate === 0 || old.nextAt > now);
  return { rate, nextAt: isEmpty && rate > 0 ? now + 1000 / rate : now };
}

/** A limiter after a node was tainted. */
export function spent({ rate }: Limiter, now: number): Limiter {
  return { rate, nextAt: now + 1000 / rate };
}
