import { type ControllerContext, controllerOf, createWorkQueue } from "@microremed/sim-component-base";
import {
  isActive,
  isReady,
  isTerminating,
  type KubeObject,
  keyOf,
  resources,
  splitKey,
} from "@microremed/sim-objects";
import { rfc3339 } from "@microremed/sim-time";
import { createPodControl } from "./pod-control.ts";

const source = { component: "job-controller" };
const firstBackOffMs = 10_000;
const maxBackOffMs = 600_000;

const indexKey = "batch.kubernetes.io/job-completion-index";
const indexOf = (pod: KubeObject): number => Number(pod.metadata.annotations?.[indexKey]);

/** A pod's spec whose containers learn their number. */
function numbered(spec: KubeObject["spec"]): KubeObject["spec"] {
  const variable = {
    name: "JOB_COMPLETION_INDEX",
    valueFrom: { fieldRef: { apiVersion: "v1", fieldPath: `metadata.annotations['${indexKey}']` } },
  };
  const containers = spec.containers.map((each: { env?: readonly object[] }) => ({
    ...each,
    env: [...(each.env ?? []), variable],
  }));
  return { ...spec, containers };
}

/** `0-2,5` of 0, 1, 2, 5. */
function ranges(numbers: readonly number[]): string {
  const sorted = [...new Set(numbers)].sort((a, b) => a - b);
  const starts = sorted.filter((each) => !sorted.includes(each - 1));
  return starts
    .map((start) => {
      let end = start;
      while (sorted.includes(end + 1)) end += 1;
      return end === start ? `${start}` : end === start + 1 ? `${start},${end}` : `${start}-${end}`;
    })
    .join(",");
}

/** Runs Jobs to completion: parallelism, completions, back-off limit, deadline, time to live. */
export function startJobController(ctx: ControllerContext): void {
  const { store, loop, events, podsByOwner } = ctx;
  const pods = createPodControl(ctx, "job-controller");
  const queue = createWorkQueue({ ...ctx, name: "job" }, reconcile);

  const indexed = (job: KubeObject): boolean => job.spec.completionMode === "Indexed";

  /** The smallest number that no pod has had success with or works on. */
  function freeIndex(job: KubeObject): string {
    const taken = podsByOwner
      .of(job.metadata.uid)
      .filter((pod) => isActive(pod) || pod.status?.phase === "Succeeded")
      .map(indexOf);
    let index = 0;
    while (taken.includes(index)) index += 1;
    return String(index);
  }

  function createPod(job: KubeObject): void {
    const { name, uid } = job.metadata;
    const index = indexed(job) ? freeIndex(job) : undefined;
    const own = {
      ...(index !== undefined && { [indexKey]: index }),
      "batch.kubernetes.io/controller-uid": uid,
      "batch.kubernetes.io/job-name": name,
      "controller-uid": uid,
      "job-name": name,
    };
    pods.create(job, job.spec.template, (pod) => ({
      ...pod,
      metadata: {
        ...pod.metadata,
        labels: { ...pod.metadata.labels, ...own },
        ...(index !== undefined && { annotations: { ...pod.metadata.annotations, [indexKey]: index } }),
      },
      ...(index !== undefined && { spec: numbered(pod.spec) }),
    }));
  }

  function finish(job: KubeObject, failure: { reason: string; message: string } | undefined): object {
    const now = rfc3339(loop.now());
    events.record(source, job, {
      type: failure ? "Warning" : "Normal",
      reason: failure?.reason ?? "Completed",
      message: failure?.message ?? "Job completed",
    });
    const seen = { status: "True", lastProbeTime: now, lastTransitionTime: now };
    return failure
      ? { conditions: [{ type: "Failed", ...seen, ...failure }] }
      : { completionTime: now, conditions: [{ type: "Complete", ...seen }] };
  }

  function failureOf(job: KubeObject, failed: number): { reason: string; message: string } | undefined {
    const deadline = job.spec.activeDeadlineSeconds;
    const startedAt = Date.parse(job.status?.startTime ?? "") || loop.now();
    if (failed > (job.spec.backoffLimit ?? 6)) {
      return { reason: "BackoffLimitExceeded", message: "Job has reached the specified backoff limit" };
    }
    if (deadline === undefined) return undefined;
    const left = startedAt + deadline * 1000 - loop.now();
    if (left > 0) queue.addAfter(keyOf(job), left);
    return left > 0
      ? undefined
      : { reason: "DeadlineExceeded", message: "Job was active longer than specified deadline" };
  }

  /** Starts as many pods as may run now; after failures only when the back-off has passed. */
  function start(job: KubeObject, active: number, succeeded: number, failures: readonly KubeObject[]): void {
    const parallelism: number = job.spec.parallelism ?? 1;
    const completions: number = job.spec.completions ?? parallelism;
    const missing = Math.min(parallelism, completions - succeeded) - active;
    if (missing <= 0) return;
    if (failures.length > 0) {
      const lastAt = Math.max(...failures.map(finishedAt));
      const wait = lastAt + Math.min(firstBackOffMs * 2 ** (failures.length - 1), maxBackOffMs) - loop.now();
      if (wait > 0) {
        queue.addAfter(keyOf(job), wait);
        return;
      }
    }
    for (let i = 0; i < missing; i += 1) createPod(job);
  }

  function finishedAt(pod: KubeObject): number {
    const statuses = pod.status?.containerStatuses ?? [];
    const times = statuses.map((status: KubeObject["status"]) =>
      Date.parse(status.state?.terminated?.finishedAt ?? ""),
    );
    return Math.max(Date.parse(pod.metadata.creationTimestamp), ...times.filter(Number.isFinite));
  }

  /** The condition of a Job that is held, or was held before. */
  function suspension(job: KubeObject): object {
    const old = (job.status?.conditions ?? []).find(({ type }: { type: string }) => type === "Suspended");
    const status = job.spec.suspend ? "True" : "False";
    if (old?.status === status) return { conditions: [old] };
    if (!old && !job.spec.suspend) return {};
    const [reason, message] = job.spec.suspend
      ? ["JobSuspended", "Job suspended"]
      : ["JobResumed", "Job resumed"];
    const at = rfc3339(loop.now());
    events.record(source, job, { type: "Normal", reason: reason.slice(3), message });
    return {
      conditions: [{ type: "Suspended", status, reason, message, lastProbeTime: at, lastTransitionTime: at }],
    };
  }

  function expire(job: KubeObject): void {
    const ttl = job.spec.ttlSecondsAfterFinished;
    const condition = job.status?.conditions?.[0];
    if (ttl === undefined || !condition) return;
    const left = Date.parse(condition.lastTransitionTime) + ttl * 1000 - loop.now();
    if (left > 0) {
      queue.addAfter(keyOf(job), left);
      return;
    }
    store.delete(resources.jobs, job.metadata.namespace, job.metadata.name, {
      propagationPolicy: "Background",
    });
  }

  const isOver = (job: KubeObject): boolean =>
    (job.status?.conditions ?? []).some((condition: { type: string }) => condition.type !== "Suspended");

  function reconcile(key: string): void {
    const job = store.get(resources.jobs, ...splitKey(key));
    if (!job || isTerminating(job)) return;
    if (isOver(job)) {
      expire(job);
      return;
    }
    const owned = podsByOwner.of(job.metadata.uid);
    const succeeded = owned.filter((pod) => pod.status?.phase === "Succeeded").length;
    const failures = owned.filter((pod) => pod.status?.phase === "Failed");
    const done = succeeded >= (job.spec.completions ?? 1);
    const failure = done ? undefined : failureOf(job, failures.length);
    const over = done || failure !== undefined;
    const running = owned.filter(isActive);
    if (over || job.spec.suspend) for (const pod of running) pods.delete(job, pod);
    else start(job, running.length, succeeded, failures);
    const active = podsByOwner.of(job.metadata.uid).filter(isActive);
    const ready = active.filter(isReady).length;
    const status = {
      ...(!job.spec.suspend && { startTime: job.status?.startTime ?? rfc3339(loop.now()) }),
      ...(active.length > 0 && { active: active.length }),
      ...(succeeded > 0 && { succeeded }),
      ...(failures.length > 0 && { failed: failures.length }),
      ready,
      ...(indexed(job) && {
        completedIndexes: ranges(owned.filter((pod) => pod.status?.phase === "Succeeded").map(indexOf)),
      }),
      ...suspension(job),
      ...(over && finish(job, failure)),
    };
    const { namespace, name } = job.metadata;
    store.mutate(resources.jobs, namespace, name, (fresh) => ({ ...fresh, status }), { status: true });
  }

  store.watch(resources.jobs, (event) => queue.add(keyOf(event.object)));
  store.watch(resources.pods, ({ object }) => {
    const owner = controllerOf(object);
    if (owner?.kind === "Job") queue.add(`${object.metadata.namespace ?? ""}/${owner.name}`);
  });
}
