import { type ControllerContext, controllerOf, createOwnerIndex } from "@microremed/sim-component-base";
import { defaultObject } from "@microremed/sim-kinds";
import { isTerminating, type KubeObject, resources } from "@microremed/sim-objects";
import { cronStatus, cronStep, isOver, jobOf, minuteMs } from "./cron-step.ts";

const source = { component: "cronjob-controller" };

/** Starts a Job whenever a CronJob's schedule says so, and drops finished ones beyond the history limits. */
export function startCronJobController(ctx: ControllerContext): void {
  const { store, loop, events } = ctx;
  const jobsByOwner = createOwnerIndex(ctx, resources.jobs);

  function remove(cron: KubeObject, job: KubeObject): void {
    store.delete(resources.jobs, job.metadata.namespace, job.metadata.name, {
      propagationPolicy: "Background",
    });
    const message = `Deleted job ${job.metadata.name}`;
    events.record(source, cron, { type: "Normal", reason: "SuccessfulDelete", message });
  }

  function startJob(cron: KubeObject, at: number): void {
    const job = jobOf(cron, at);
    const { namespace, name } = job.metadata;
    if (store.get(resources.jobs, namespace, name)) return;
    store.create(resources.jobs, defaultObject(resources.jobs, job));
    events.record(source, cron, {
      type: "Normal",
      reason: "SuccessfulCreate",
      message: `Created job ${name}`,
    });
  }

  function visit(cron: KubeObject, at: number): void {
    const step = cronStep(cron, jobsByOwner.of(cron.metadata.uid), at);
    for (const job of step.replaced) remove(cron, job);
    if (step.starts) startJob(cron, at);
    for (const job of step.forgotten) remove(cron, job);
    report(cron, step.due ? at : undefined);
  }

  function report(cron: KubeObject, scheduledAt?: number): void {
    const { namespace, name, uid } = cron.metadata;
    store.mutate(
      resources.cronJobs,
      namespace,
      name,
      (fresh) => ({ ...fresh, status: cronStatus(fresh, jobsByOwner.of(uid), scheduledAt) }),
      { status: true },
    );
  }

  function tick(): void {
    const at = Math.floor(loop.now() / minuteMs) * minuteMs;
    for (const cron of store.list(resources.cronJobs)) if (!isTerminating(cron)) visit(cron, at);
  }

  // What a Job came to is in the status at once, not only when the next one is due.
  store.watch(resources.jobs, (event) => {
    const owner = controllerOf(event.object);
    if (owner?.kind !== "CronJob" || event.type === "ADDED") return;
    if (event.type === "MODIFIED" && isOver(event.object) === isOver(event.previous ?? event.object)) return;
    const cron = store.get(resources.cronJobs, event.object.metadata.namespace, owner.name);
    if (cron?.metadata.uid === owner.uid && !isTerminating(cron)) report(cron);
  });

  const toNextMinute = minuteMs - (loop.now() % minuteMs);
  loop.after(toNextMinute, "cronjob", () => {
    tick();
    loop.every(minuteMs, "cronjob", tick);
  });
}
