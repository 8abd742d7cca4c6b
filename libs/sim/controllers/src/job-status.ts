import type { NewEvent } from "@microremed/sim-component-base";
import { isActive, isReady, type KubeObject } from "@microremed/sim-objects";
import { rfc3339 } from "@microremed/sim-time";
import { completedIndexes, isIndexed, succeededOf } from "./job-pods.ts";
import type { JobStep } from "./job-step.ts";

/** A Job's status with the events that its change makes. */
export interface JobReport {
  readonly status: object;
  readonly events: readonly NewEvent[];
}

interface Pods {
  /** Before the step was taken. */
  readonly before: readonly KubeObject[];
  readonly after: readonly KubeObject[];
}

/** What the status of a Job says after a step. */
export function jobReport(
  job: KubeObject,
  { before, after }: Pods,
  { over, failure }: Pick<JobStep, "over" | "failure">,
  now: number,
): JobReport {
  const active = after.filter(isActive);
  const succeeded = succeededOf(before).length;
  const failed = before.filter((pod) => pod.status?.phase === "Failed").length;
  const suspension = suspensionOf(job, now);
  const end = over ? endOf(failure, now) : { status: {}, events: [] };
  const status = {
    ...(!job.spec.suspend && { startTime: job.status?.startTime ?? rfc3339(now) }),
    ...(active.length > 0 && { active: active.length }),
    ...(succeeded > 0 && { succeeded }),
    ...(failed > 0 && { failed }),
    ready: active.filter(isReady).length,
    ...(isIndexed(job) && { completedIndexes: completedIndexes(before) }),
    ...suspension.status,
    ...end.status,
  };
  return { status, events: [...suspension.events, ...end.events] };
}

function endOf(failure: JobStep["failure"], at: number): JobReport {
  const now = rfc3339(at);
  const seen = { status: "True", lastProbeTime: now, lastTransitionTime: now };
  return failure
    ? {
        status: { conditions: [{ type: "Failed", ...seen, ...failure }] },
        events: [{ type: "Warning", ...failure }],
      }
    : {
        status: { completionTime: now, conditions: [{ type: "Complete", ...seen }] },
        events: [{ type: "Normal", reason: "Completed", message: "Job completed" }],
      };
}

/** The condition of a Job that is held, or was held before. */
function suspensionOf(job: KubeObject, now: number): JobReport {
  const old = (job.status?.conditions ?? []).find(({ type }: { type: string }) => type === "Suspended");
  const status = job.spec.suspend ? "True" : "False";
  if (old?.status === status) return { status: { conditions: [old] }, events: [] };
  if (!old && !job.spec.suspend) return { status: {}, events: [] };
  const [reason, message] = job.spec.suspend
    ? ["JobSuspended", "Job suspended"]
    : ["JobResumed", "Job resumed"];
  const at = rfc3339(now);
  const condition = { type: "Suspended", status, reason, message, lastProbeTime: at, lastTransitionTime: at };
  return {
    status: { conditions: [condition] },
    events: [{ type: "Normal", reason: reason.slice(3), message }],
  };
}
