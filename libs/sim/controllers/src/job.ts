import { type ControllerContext, controllerOf, createWorkQueue } from "@microremed/sim-component-base";
import { isTerminating, type KubeObject, keyOf, resources, splitKey } from "@microremed/sim-objects";
import { jobPod } from "./job-pods.ts";
import { jobReport } from "./job-status.ts";
import { isOver, type JobStep, jobStep, msToExpiry } from "./job-step.ts";
import { createPodControl, refusalOf } from "./pod-control.ts";

const source = { component: "job-controller" };

/** Runs Jobs to completion: parallelism, completions, back-off limit, deadline, time to live. */
export function startJobController(ctx: ControllerContext): void {
  const { store, loop, events, podsByOwner } = ctx;
  const pods = createPodControl(ctx, source.component);
  const queue = createWorkQueue({ ...ctx, name: "job" }, reconcile);

  function expire(job: KubeObject): void {
    const left = msToExpiry(job, loop.now());
    if (left === undefined) return;
    if (left > 0) {
      queue.addAfter(keyOf(job), left);
      return;
    }
    store.delete(resources.jobs, job.metadata.namespace, job.metadata.name, {
      propagationPolicy: "Background",
    });
  }

  function take(job: KubeObject, step: JobStep): void {
    for (const ms of step.recheckMs) queue.addAfter(keyOf(job), ms);
    for (const pod of step.stop) pods.delete(job, pod);
    for (const index of step.start) pods.create(job, job.spec.template, (pod) => jobPod(job, pod, index));
  }

  function reconcile(key: string): void {
    const job = store.get(resources.jobs, ...splitKey(key));
    if (!job || isTerminating(job)) return;
    if (isOver(job)) {
      expire(job);
      return;
    }
    const { namespace, name, uid } = job.metadata;
    const before = podsByOwner.of(uid);
    const step = jobStep(job, before, loop.now());
    const refused = refusalOf(() => take(job, step));
    const report = jobReport(job, { before, after: podsByOwner.of(uid) }, step, loop.now());
    for (const event of report.events) events.record(source, job, event);
    const { status } = report;
    store.mutate(resources.jobs, namespace, name, (fresh) => ({ ...fresh, status }), { status: true });
    if (refused) throw refused;
  }

  store.watch(resources.jobs, (event) => queue.add(keyOf(event.object)));
  store.watch(resources.pods, ({ object }) => {
    const owner = controllerOf(object);
    if (owner?.kind === "Job") queue.add(`${object.metadata.namespace ?? ""}/${owner.name}`);
  });
}
