/** A condition of a workload's status, as Deployments write it. */
export interface Condition {
  readonly type: string;
  readonly status: "True" | "False" | "Unknown";
  readonly lastUpdateTime: string;
  readonly lastTransitionTime: string;
  readonly reason: string;
  readonly message: string;
}

export function findCondition(conditions: readonly Condition[], type: string): Condition | undefined {
  return conditions.find((condition) => condition.type === type);
}

/**
 * The conditions with one of them set. Equal status and reason leave it alone unless `touch`, which moves
 * lastUpdateTime (progress was made); an equal status keeps lastTransitionTime.
 */
export function withCondition(
  conditions: readonly Condition[],
  wanted: Pick<Condition, "type" | "status" | "reason" | "message">,
  at: string,
  touch = false,
): readonly Condition[] {
  const old = findCondition(conditions, wanted.type);
  if (old && !touch && old.status === wanted.status && old.reason === wanted.reason) return conditions;
  const { type, status, reason, message } = wanted;
  const lastTransitionTime = old?.status === status ? old.lastTransitionTime : at;
  const others = conditions.filter((condition) => condition.type !== type);
  return [...others, { type, status, lastUpdateTime: at, lastTransitionTime, reason, message }];
}
