import type { KubeObject } from "@microremed/sim-objects";
import { type Condition, findCondition, withCondition } from "./conditions.ts";
import { rollingBounds, sizeOf } from "./deployment-scaling.ts";

interface Counts {
  readonly replicas: number;
  readonly updated: number;
  readonly ready: number;
  readonly available: number;
  readonly unavailable: number;
}

export interface StatusInput {
  readonly deployment: KubeObject;
  readonly current: KubeObject | undefined;
  readonly sets: readonly KubeObject[];
  /** Conditions with what this reconcile has already said of progress (new set created, paused ...). */
  readonly conditions: readonly Condition[];
  readonly now: number;
  readonly at: string;
}

/** A progressDeadlineSeconds of MaxInt32 means none, as in Kubernetes' deployment controller. */
const never = 2_147_483_647;

function countsOf({ current, sets }: StatusInput): Counts {
  const total = (field: string): number => sets.reduce((sum, set) => sum + (set.status?.[field] ?? 0), 0);
  const available = total("availableReplicas");
  const wanted = sets.reduce((sum, set) => sum + sizeOf(set), 0);
  return {
    replicas: total("replicas"),
    updated: current?.status?.replicas ?? 0,
    ready: total("readyReplicas"),
    available,
    unavailable: Math.max(0, wanted - available),
  };
}

function isComplete(deployment: KubeObject, counts: Counts): boolean {
  const replicas: number = deployment.spec.replicas ?? 1;
  return counts.updated === replicas && counts.replicas === replicas && counts.available === replicas;
}

function hasProgressed(deployment: KubeObject, counts: Counts): boolean {
  const old = deployment.status ?? {};
  const was = (field: string): number => old[field] ?? 0;
  return (
    counts.updated > was("updatedReplicas") ||
    counts.replicas - counts.updated < was("replicas") - was("updatedReplicas") ||
    counts.ready > was("readyReplicas") ||
    counts.available > was("availableReplicas")
  );
}

function deadlineOf(deployment: KubeObject): number {
  return deployment.spec.progressDeadlineSeconds ?? 600;
}

/** Cluster time in ms until the rollout may be timed out; undefined when nothing is to be waited for. */
export function msToDeadline(
  deployment: KubeObject,
  conditions: readonly Condition[],
  now: number,
): number | undefined {
  const progressing = findCondition(conditions, "Progressing");
  const settled = ["NewReplicaSetAvailable", "ProgressDeadlineExceeded"];
  if (!progressing || settled.includes(progressing.reason)) return undefined;
  if (deployment.spec.paused || deadlineOf(deployment) >= never) return undefined;
  const dueAt = Date.parse(progressing.lastUpdateTime) + deadlineOf(deployment) * 1000;
  return Math.max(0, dueAt - now) + 1000;
}

function progressCondition(input: StatusInput, counts: Counts): readonly Condition[] {
  const { deployment, current, conditions, at, now } = input;
  const before = findCondition(conditions, "Progressing");
  if (deadlineOf(deployment) >= never || deployment.spec.paused) return conditions;
  const name = current ? `ReplicaSet "${current.metadata.name}"` : `Deployment "${deployment.metadata.name}"`;
  const settled = counts.replicas === counts.updated && before?.reason === "NewReplicaSetAvailable";
  if (settled) return conditions;
  const set = (
    status: "True" | "False",
    reason: string,
    message: string,
    touch = false,
  ): readonly Condition[] =>
    withCondition(conditions, { type: "Progressing", status, reason, message }, at, touch);
  if (isComplete(deployment, counts)) {
    return set("True", "NewReplicaSetAvailable", `${name} has successfully progressed.`);
  }
  if (hasProgressed(deployment, counts))
    return set("True", "ReplicaSetUpdated", `${name} is progressing.`, true);
  const timedOut =
    before &&
    before.reason !== "NewReplicaSetAvailable" &&
    Date.parse(before.lastUpdateTime) + deadlineOf(deployment) * 1000 < now;
  return timedOut
    ? set("False", "ProgressDeadlineExceeded", `${name} has timed out progressing.`)
    : conditions;
}

function availableCondition(
  { deployment, at }: StatusInput,
  conditions: readonly Condition[],
  counts: Counts,
): readonly Condition[] {
  const minimum = (deployment.spec.replicas ?? 1) - rollingBounds(deployment).maxUnavailable;
  const enough = counts.available >= minimum;
  return withCondition(
    conditions,
    {
      type: "Available",
      status: enough ? "True" : "False",
      reason: enough ? "MinimumReplicasAvailable" : "MinimumReplicasUnavailable",
      message: enough
        ? "Deployment has minimum availability."
        : "Deployment does not have minimum availability.",
    },
    at,
  );
}

/** A ReplicaSet that may not create its pods fails the Deployment, as long as it may not. */
function failureCondition(
  { current, sets, at }: StatusInput,
  conditions: readonly Condition[],
): readonly Condition[] {
  const failures = (current ? [current, ...sets] : sets).flatMap(
    (set): readonly Condition[] => set.status?.conditions ?? [],
  );
  const failure = findCondition(failures, "ReplicaFailure");
  if (!failure) return conditions.filter(({ type }) => type !== "ReplicaFailure");
  const { type, status, reason, message } = failure;
  return withCondition(conditions, { type, status, reason, message }, at);
}

/** The deployment's status as its ReplicaSets make it. */
export function deploymentStatus(
  input: StatusInput,
): Record<string, unknown> & { conditions: readonly Condition[] } {
  const counts = countsOf(input);
  const { deployment } = input;
  return {
    observedGeneration: deployment.metadata.generation,
    ...(counts.replicas > 0 && { replicas: counts.replicas }),
    ...(counts.updated > 0 && { updatedReplicas: counts.updated }),
    ...(counts.ready > 0 && { readyReplicas: counts.ready }),
    ...(counts.available > 0 && { availableReplicas: counts.available }),
    ...(counts.unavailable > 0 && { unavailableReplicas: counts.unavailable }),
    ...(deployment.status?.collisionCount && { collisionCount: deployment.status.collisionCount }),
    conditions: failureCondition(input, availableCondition(input, progressCondition(input, counts), counts)),
  };
}
