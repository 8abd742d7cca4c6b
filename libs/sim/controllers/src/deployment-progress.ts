import type { KubeObject } from "@microremed/sim-objects";
import { type Condition, findCondition, withCondition } from "./conditions.ts";

const progressing = (
  conditions: readonly Condition[],
  reason: string,
  message: string,
  at: string,
): readonly Condition[] =>
  withCondition(conditions, { type: "Progressing", status: "True", reason, message }, at);

/** A new ReplicaSet was made for the present template. */
export function createdSet(conditions: readonly Condition[], name: string, at: string): readonly Condition[] {
  return progressing(conditions, "NewReplicaSetCreated", `Created new replica set "${name}"`, at);
}

/** There is a ReplicaSet of the present template already. `reused`: it was an old one until now. */
export function foundSet(
  conditions: readonly Condition[],
  { name, reused }: { readonly name: string; readonly reused: boolean },
  at: string,
): readonly Condition[] {
  if (findCondition(conditions, "Progressing") && !reused) return conditions;
  return progressing(conditions, "FoundNewReplicaSet", `Found new replica set "${name}"`, at);
}

/** The deployment's conditions, with whether it was paused or resumed since they were written. */
export function pausedConditions(deployment: KubeObject, at: string): readonly Condition[] {
  const conditions: readonly Condition[] = deployment.status?.conditions ?? [];
  const before = findCondition(conditions, "Progressing");
  const paused = Boolean(deployment.spec.paused);
  if (before?.reason === "ProgressDeadlineExceeded") return conditions;
  const was = before?.reason === "DeploymentPaused";
  if (paused === was) return conditions;
  const reason = paused ? "DeploymentPaused" : "DeploymentResumed";
  const message = paused ? "Deployment is paused" : "Deployment is resumed";
  return withCondition(conditions, { type: "Progressing", status: "Unknown", reason, message }, at);
}
