import { isReady, isTerminating, type KubeObject } from "@microremed/sim-objects";
import { rfc3339 } from "@microremed/sim-time";
import { intOrPercent } from "./int-or-percent.ts";

/** An eviction whose pod is still there after this long did not happen, ms. */
export const disruptionTimeoutMs = 120_000;

export interface BudgetFacts {
  readonly budget: KubeObject;
  /** The budget's pods that are not finished. */
  readonly pods: readonly KubeObject[];
  /** The replicas that the controllers of the pods are meant to keep. */
  readonly replicas: number;
  readonly now: number;
}

interface BudgetStatus {
  /** Pods whose eviction is under way, and since when. */
  readonly disruptedPods?: Readonly<Record<string, string>>;
  readonly disruptionsAllowed: number;
  readonly [field: string]: unknown;
}

interface Need {
  readonly expectedPods: number;
  readonly desiredHealthy: number;
}

/** The status of a PodDisruptionBudget: how many of its pods may be evicted now. */
export function budgetStatus(facts: BudgetFacts): BudgetStatus {
  const { budget, pods } = facts;
  const disrupted = evictionsUnderWay(facts);
  const evicted = new Set(disrupted.map(([name]) => name));
  const healthy = pods.filter(
    (pod) => isReady(pod) && !isTerminating(pod) && !evicted.has(pod.metadata.name),
  );
  const { expectedPods, desiredHealthy } = needOf(facts);
  const allowed = expectedPods > 0 ? Math.max(0, healthy.length - desiredHealthy) : 0;
  return {
    ...(disrupted.length > 0 && { disruptedPods: Object.fromEntries(disrupted) }),
    observedGeneration: budget.metadata.generation ?? 1,
    disruptionsAllowed: allowed,
    currentHealthy: healthy.length,
    desiredHealthy,
    expectedPods,
    conditions: [conditionOf(facts, allowed > 0)],
  };
}

function evictionsUnderWay({ budget, pods, now }: BudgetFacts): readonly (readonly [string, string])[] {
  return Object.entries((budget.status?.disruptedPods ?? {}) as Record<string, string>).filter(
    ([name, at]) =>
      now - Date.parse(at) < disruptionTimeoutMs &&
      pods.some((pod) => pod.metadata.name === name && !isTerminating(pod)),
  );
}

function needOf({ budget, pods, replicas }: BudgetFacts): Need {
  const { minAvailable, maxUnavailable } = budget.spec;
  if (maxUnavailable !== undefined) {
    const most = intOrPercent(maxUnavailable, replicas, "up");
    return { expectedPods: replicas, desiredHealthy: Math.max(0, replicas - most) };
  }
  if (typeof minAvailable === "number") return { expectedPods: pods.length, desiredHealthy: minAvailable };
  return { expectedPods: replicas, desiredHealthy: intOrPercent(minAvailable ?? 0, replicas, "up") };
}

function conditionOf({ budget, now }: BudgetFacts, allowed: boolean): object {
  const status = allowed ? "True" : "False";
  const [old] = budget.status?.conditions ?? [];
  return {
    type: "DisruptionAllowed",
    status,
    reason: allowed ? "SufficientPods" : "InsufficientPods",
    message: "",
    observedGeneration: budget.metadata.generation ?? 1,
    lastTransitionTime: old?.status === status ? old.lastTransitionTime : rfc3339(now),
  };
}
