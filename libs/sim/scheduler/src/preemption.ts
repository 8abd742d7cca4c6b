import { isTerminating, type KubeObject } from "@microremed/sim-objects";

/** Pods to be evicted from a node so that another fits. */
export interface Preemption {
  readonly node: string;
  readonly victims: readonly KubeObject[];
}

export interface PreemptionQuestion {
  readonly pod: KubeObject;
  readonly nodes: readonly KubeObject[];
  /** All pods that are bound to a node. */
  readonly placed: readonly KubeObject[];
  /** Whether the pod fits on a node without the pods of these uids. */
  fits(node: KubeObject, without: ReadonlySet<string>): boolean;
  /** Whether evicting the pod violates a disruption budget. */
  violates(pod: KubeObject): boolean;
}

interface Choice extends Preemption {
  /** What the scheduler compares, in this order; less is better. */
  readonly cost: readonly number[];
}

export const priorityOf = (pod: KubeObject): number => pod.spec.priority ?? 0;

const startOf = (pod: KubeObject): number =>
  Date.parse(pod.status?.startTime ?? pod.metadata.creationTimestamp) || 0;

/** More important ones first: they are spared first. */
const byImportance = (a: KubeObject, b: KubeObject): number =>
  priorityOf(b) - priorityOf(a) || startOf(a) - startOf(b);

/**
 * kube-scheduler's DefaultPreemption: on each node the fewest and least important pods of lower priority whose going
 * makes room; then the node with the fewest violated budgets, lowest priorities, fewest victims, youngest victims.
 */
export function choosePreemption(question: PreemptionQuestion): Preemption | undefined {
  let best: Choice | undefined;
  for (const node of question.nodes) {
    const choice = victimsOn(node, question);
    if (choice && (!best || isCheaper(choice, best))) best = choice;
  }
  return best && { node: best.node, victims: best.victims };
}

function isCheaper(a: Choice, b: Choice): boolean {
  const index = a.cost.findIndex((value, at) => value !== b.cost[at]);
  return index >= 0 && (a.cost[index] ?? 0) < (b.cost[index] ?? 0);
}

function victimsOn(node: KubeObject, question: PreemptionQuestion): Choice | undefined {
  const { pod, placed, fits, violates } = question;
  const lower = placed.filter(
    (each) =>
      each.spec.nodeName === node.metadata.name && !isTerminating(each) && priorityOf(each) < priorityOf(pod),
  );
  const gone = new Set(lower.map((each) => each.metadata.uid));
  if (lower.length === 0 || !fits(node, gone)) return undefined;
  const guarded = new Set(lower.filter(violates).map((each) => each.metadata.uid));
  const isGuarded = (each: KubeObject): number => (guarded.has(each.metadata.uid) ? 0 : 1);
  const order = [...lower].sort((a, b) => isGuarded(a) - isGuarded(b) || byImportance(a, b));
  for (const each of order) {
    gone.delete(each.metadata.uid);
    if (!fits(node, gone)) gone.add(each.metadata.uid);
  }
  const victims = lower.filter((each) => gone.has(each.metadata.uid)).sort(byImportance);
  const [highest] = victims;
  if (!highest) return undefined;
  const top = victims.filter((each) => priorityOf(each) === priorityOf(highest));
  const cost = [
    victims.filter((each) => guarded.has(each.metadata.uid)).length,
    priorityOf(highest),
    // Counted from the least possible priority, so that more victims cost more even when priorities are negative.
    victims.reduce((sum, each) => sum + priorityOf(each) + 2 ** 31, 0),
    victims.length,
    -Math.min(...top.map(startOf)),
  ];
  return { node: node.metadata.name, victims, cost };
}
