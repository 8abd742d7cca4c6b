import { isActive, type KubeObject } from "@microremed/sim-objects";
import { freeIndexes, isIndexed, succeededOf } from "./job-pods.ts";

/** The Job controller's back-off after failed pods: 10 s, doubled each time, 10 min at most. */
const firstBackOffMs = 10_000;
const maxBackOffMs = 600_000;

export interface JobFailure {
  readonly reason: string;
  readonly message: string;
}

/** What a Job that is not over does next. */
export interface JobStep {
  /** No more pods are wanted: all completions are there, or it has failed. */
  readonly over: boolean;
  readonly failure: JobFailure | undefined;
  readonly stop: readonly KubeObject[];
  /** One entry for each pod to start: its completion index, if the Job has indexes. */
  readonly start: readonly (number | undefined)[];
  /** Times after which the Job must be reconciled again, ms. */
  readonly recheckMs: readonly number[];
}

/** Ms until a finished Job's time to live is over; undefined: it stays. */
export function msToExpiry(job: KubeObject, now: number): number | undefined {
  const ttl = job.spec.ttlSecondsAfterFinished;
  const condition = job.status?.conditions?.[0];
  if (ttl === undefined || !condition) return undefined;
  return Math.max(0, Date.parse(condition.lastTransitionTime) + ttl * 1000 - now);
}

export const isOver = (job: KubeObject): boolean =>
  (job.status?.conditions ?? []).some((condition: { type: string }) => condition.type !== "Suspended");

/** Parallelism, completions, back-off limit and deadline of a Job whose pods are `pods`. */
export function jobStep(job: KubeObject, pods: readonly KubeObject[], now: number): JobStep {
  const succeeded = succeededOf(pods).length;
  const failures = pods.filter((pod) => pod.status?.phase === "Failed");
  const running = pods.filter(isActive);
  const done = succeeded >= (job.spec.completions ?? 1);
  const deadlineMs = done ? undefined : msToDeadline(job, now);
  const failure = done ? undefined : failureOf(job, failures.length, deadlineMs);
  const over = done || failure !== undefined;
  const recheckMs = !failure && deadlineMs !== undefined ? [deadlineMs] : [];
  if (over || job.spec.suspend) return { over, failure, stop: running, start: [], recheckMs };
  const missing = missingPods(job, running.length, succeeded);
  const waitMs = missing > 0 ? msToRetry(failures, now) : 0;
  if (waitMs > 0) return { over, failure, stop: [], start: [], recheckMs: [...recheckMs, waitMs] };
  const start = isIndexed(job)
    ? freeIndexes(pods, missing)
    : Array.from({ length: missing }, () => undefined);
  return { over, failure, stop: [], start, recheckMs };
}

function missingPods(job: KubeObject, active: number, succeeded: number): number {
  const parallelism: number = job.spec.parallelism ?? 1;
  const completions: number = job.spec.completions ?? parallelism;
  return Math.max(0, Math.min(parallelism, completions - succeeded) - active);
}

function msToDeadline(job: KubeObject, now: number): number | undefined {
  const deadline = job.spec.activeDeadlineSeconds;
  if (deadline === undefined) return undefined;
  const startedAt = Date.parse(job.status?.startTime ?? "") || now;
  return startedAt + deadline * 1000 - now;
}

function failureOf(job: KubeObject, failed: number, deadlineMs: number | undefined): JobFailure | undefined {
  if (failed > (job.spec.backoffLimit ?? 6))
    return { reason: "BackoffLimitExceeded", message: "Job has reached the specified backoff limit" };
  return deadlineMs !== undefined && deadlineMs <= 0
    ? { reason: "DeadlineExceeded", message: "Job was active longer than specified deadline" }
    : undefined;
}

/** Ms until a pod may be started after failures. */
function msToRetry(failures: readonly KubeObject[], now: number): number {
  if (failures.length === 0) return 0;
  const lastAt = Math.max(...failures.map(finishedAt));
  return lastAt + Math.min(firstBackOffMs * 2 ** (failures.length - 1), maxBackOffMs) - now;
}

function finishedAt(pod: KubeObject): number {
  const statuses = pod.status?.containerStatuses ?? [];
  const times = statuses.map((status: KubeObject["status"]) =>
    Date.parse(status.state?.terminated?.finishedAt ?? ""),
  );
  return Math.max(Date.parse(pod.metadata.creationTimestamp), ...times.filter(Number.isFinite));
}
