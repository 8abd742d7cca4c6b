import { type Cluster, kinds } from "@microremed/cluster";

/**
 * How near a system is to serving: share of the wanted replicas that are ready, over all its workloads, 0 to 1. It is cheap,
 * and no verdict: nothing is measured.
 */
export async function potentialOf(cluster: Pick<Cluster, "list">, namespace: string): Promise<number> {
  const [deployments, sets] = await Promise.all([
    cluster.list(kinds.deployment, { namespace }),
    cluster.list(kinds.statefulSet, { namespace }),
  ]);
  const shares = [...deployments, ...sets].map(({ spec, status }) => {
    const wanted = numberIn(spec, "replicas", 1);
    return wanted === 0 ? 0 : Math.min(1, numberIn(status, "readyReplicas", 0) / wanted);
  });
  return shares.length === 0 ? 0 : shares.reduce((sum, one) => sum + one, 0) / shares.length;
}

function numberIn(of: unknown, field: string, otherwise: number): number {
  const value = typeof of === "object" && of !== null ? Reflect.get(of, field) : undefined;
  return typeof value === "number" ? value : otherwise;
}

/**
 * What is added to the reward of one step, F = gamma * potential after - potential before, where an episode that is over has
 * the potential 0. Over an episode it sums up to minus the first potential, whatever was done: the best policy stays the
 * best (Ng, Harada and Russell 1999).
 */
export function shaping(before: number, after: number | undefined, gamma: number): number {
  return gamma * (after ?? 0) - before;
}
