import { createHash } from "node:crypto";
import { controllerReference } from "@microremed/sim-component-base";
import type { KubeObject, NewObject } from "@microremed/sim-objects";
import { isCronMinute, rfc3339 } from "@microremed/sim-time";

export const minuteMs = 60_000;

/** What a CronJob does in one minute, in this order. */
export interface CronStep {
  /** Its schedule names this minute. */
  readonly due: boolean;
  /** Running Jobs that go, because the next one takes their place. */
  readonly replaced: readonly KubeObject[];
  readonly starts: boolean;
  /** Finished Jobs beyond the history limits, oldest first. */
  readonly forgotten: readonly KubeObject[];
}

const ended = (job: KubeObject, type: string): boolean =>
  (job.status?.conditions ?? []).some((condition: { type: string }) => condition.type === type);
/** Whether a Job has ended, well or not. */
export const isOver = (job: KubeObject): boolean => ended(job, "Complete") || ended(job, "Failed");

/** Schedule, concurrency policy and history limits of a CronJob that owns `jobs`. `at`: a full minute, ms. */
export function cronStep(cron: KubeObject, jobs: readonly KubeObject[], at: number): CronStep {
  const { suspend, schedule, concurrencyPolicy = "Allow" } = cron.spec;
  const running = jobs.filter((job) => !isOver(job));
  const due = !suspend && isCronMinute(schedule, at);
  const beyond = (type: string, keep: number): readonly KubeObject[] => {
    const over = jobs.filter((job) => ended(job, type));
    return over.slice(0, Math.max(0, over.length - keep));
  };
  return {
    due,
    replaced: due && concurrencyPolicy === "Replace" ? running : [],
    starts: due && (concurrencyPolicy !== "Forbid" || running.length === 0),
    forgotten: [
      ...beyond("Complete", cron.spec.successfulJobsHistoryLimit ?? 3),
      ...beyond("Failed", cron.spec.failedJobsHistoryLimit ?? 1),
    ],
  };
}

/** The Job that a CronJob starts in the minute `at`. */
export function jobOf(
  cron: KubeObject,
  at: number,
): NewObject & { readonly metadata: { readonly name: string } } {
  const { namespace, name, uid } = cron.metadata;
  const { metadata, spec } = cron.spec.jobTemplate;
  const minute = Math.floor(at / minuteMs);
  return {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: {
      name: `${name}-${minute}`,
      uid: uidOf(`${uid} ${minute}`),
      ...(namespace && { namespace }),
      ...(metadata?.labels && { labels: metadata.labels }),
      annotations: {
        ...metadata?.annotations,
        "batch.kubernetes.io/cronjob-scheduled-timestamp": rfc3339(at),
      },
      ownerReferences: [controllerReference(cron)],
    },
    spec,
  };
}

/** A Job selects its pods by its uid, so it must have one before it is stored. */
function uidOf(text: string): string {
  const hex = createHash("sha256").update(text).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** When the last of these Jobs that were successful ended; `before` where none ended later. */
function lastSuccess(jobs: readonly KubeObject[], before: string | undefined): string | undefined {
  const times = jobs.flatMap((job) => (ended(job, "Complete") ? (job.status?.completionTime ?? []) : []));
  return [...times, ...(before === undefined ? [] : [before])].toSorted().at(-1);
}

/** The status of a CronJob that owns `jobs`. `scheduledAt`: the minute that was due just now, ms. */
export function cronStatus(
  cron: KubeObject,
  jobs: readonly KubeObject[],
  scheduledAt: number | undefined,
): object {
  const lastSuccessfulTime = lastSuccess(jobs, cron.status?.lastSuccessfulTime);
  return {
    ...cron.status,
    ...(lastSuccessfulTime !== undefined && { lastSuccessfulTime }),
    ...(scheduledAt !== undefined && { lastScheduleTime: rfc3339(scheduledAt) }),
    active: jobs
      .filter((job) => !isOver(job))
      .map(({ apiVersion, kind, metadata: { namespace, name, uid } }) => ({
        apiVersion,
        kind,
        namespace,
        name,
        uid,
      })),
  };
}
