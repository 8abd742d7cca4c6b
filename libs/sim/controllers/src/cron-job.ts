import {
  type ControllerContext,
  controllerReference,
  createOwnerIndex,
} from "@microremed/sim-component-base";
import { isTerminating, type KubeObject, resources } from "@microremed/sim-objects";
import { isCronMinute, rfc3339 } from "@microremed/sim-time";

const source = { component: "cronjob-controller" };
const minuteMs = 60_000;

/** Starts a Job whenever a CronJob's schedule says so, and drops finished ones beyond the history limits. */
export function startCronJobController(ctx: ControllerContext): void {
  const { store, loop, events } = ctx;
  const jobsByOwner = createOwnerIndex(ctx, resources.jobs);

  const ended = (job: KubeObject, type: string): boolean =>
    (job.status?.conditions ?? []).some((condition: { type: string }) => condition.type === type);
  const isOver = (job: KubeObject): boolean => ended(job, "Complete") || ended(job, "Failed");

  function remove(cron: KubeObject, job: KubeObject): void {
    store.delete(resources.jobs, job.metadata.namespace, job.metadata.name, {
      propagationPolicy: "Background",
    });
    const message = `Deleted job ${job.metadata.name}`;
    events.record(source, cron, { type: "Normal", reason: "SuccessfulDelete", message });
  }

  function startJob(cron: KubeObject, at: number): void {
    const name = `${cron.metadata.name}-${Math.floor(at / minuteMs)}`;
    const { namespace } = cron.metadata;
    if (store.get(resources.jobs, namespace, name)) return;
    const { metadata, spec } = cron.spec.jobTemplate;
    store.create(resources.jobs, {
      apiVersion: "batch/v1",
      kind: "Job",
      metadata: {
        name,
        ...(namespace && { namespace }),
        ...(metadata?.labels && { labels: metadata.labels }),
        annotations: {
          ...metadata?.annotations,
          "batch.kubernetes.io/cronjob-scheduled-timestamp": rfc3339(at),
        },
        ownerReferences: [controllerReference(cron)],
      },
      spec,
    });
    events.record(source, cron, {
      type: "Normal",
      reason: "SuccessfulCreate",
      message: `Created job ${name}`,
    });
  }

  function trim(cron: KubeObject, jobs: readonly KubeObject[], type: string, keep: number): void {
    const over = jobs.filter((job) => ended(job, type));
    for (const job of over.slice(0, Math.max(0, over.length - keep))) remove(cron, job);
  }

  function visit(cron: KubeObject, at: number): void {
    const jobs = jobsByOwner.of(cron.metadata.uid);
    const running = jobs.filter((job) => !isOver(job));
    const due = !cron.spec.suspend && isCronMinute(cron.spec.schedule, at);
    const policy = cron.spec.concurrencyPolicy ?? "Allow";
    if (due && policy === "Replace") for (const job of running) remove(cron, job);
    if (due && (policy !== "Forbid" || running.length === 0)) startJob(cron, at);
    trim(cron, jobs, "Complete", cron.spec.successfulJobsHistoryLimit ?? 3);
    trim(cron, jobs, "Failed", cron.spec.failedJobsHistoryLimit ?? 1);
    const active = jobsByOwner.of(cron.metadata.uid).filter((job) => !isOver(job));
    const references = active.map(({ apiVersion, kind, metadata }) => ({
      apiVersion,
      kind,
      namespace: metadata.namespace,
      name: metadata.name,
      uid: metadata.uid,
    }));
    const status = {
      ...cron.status,
      ...(due && { lastScheduleTime: rfc3339(at) }),
      active: references,
    };
    const { namespace, name } = cron.metadata;
    store.mutate(resources.cronJobs, namespace, name, (fresh) => ({ ...fresh, status }), { status: true });
  }

  function tick(): void {
    const at = Math.floor(loop.now() / minuteMs) * minuteMs;
    for (const cron of store.list(resources.cronJobs)) if (!isTerminating(cron)) visit(cron, at);
  }

  const toNextMinute = minuteMs - (loop.now() % minuteMs);
  loop.after(toNextMinute, "cronjob", () => {
    tick();
    loop.every(minuteMs, "cronjob", tick);
  });
}
