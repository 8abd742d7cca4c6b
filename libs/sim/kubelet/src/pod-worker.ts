import type { Rng } from "@microremed/core";
import type { ContainerRuntime } from "@microremed/sim-machine";
import type { KubeObject } from "@microremed/sim-objects";
import { createContainerLifecycle } from "./container-lifecycle.ts";
import type { ContainerSlot } from "./container-slot.ts";
import type { KubeletContext } from "./context.ts";
import { type MemoryUse, memoryUse } from "./eviction-order.ts";
import { createDeadline } from "./pod-deadline.ts";
import { createPodRecord, type PodRecord } from "./pod-record.ts";
import { createPodReporter } from "./pod-reporter.ts";
import { closeSandbox, openSandbox } from "./pod-sandbox.ts";
import { phaseOf } from "./pod-status.ts";
import { createPodSyncer } from "./pod-syncer.ts";
import { createPodTerminator } from "./pod-terminator.ts";
import { follows, refreshVolumes } from "./refresh-volumes.ts";
import { startError } from "./start-error.ts";

/** One pod on its node, from the moment it is bound until it is gone. */
export interface PodWorker {
  readonly node: string;
  /** The stored pod changed. */
  update(pod: KubeObject): void;
  /** The stored pod is gone: nothing of it may be left. */
  removed(): void;
  /** Checks whether the kernel killed a container, and whether those that have started could get their ports. */
  relist(): void;
  /** Whether files of the pod follow a ConfigMap, and what gives them what it has now. */
  follows(configMap: KubeObject["metadata"]): boolean;
  refresh(configMap: string): void;
  /** The node's power is gone: so is whatever ran of the pod. */
  powerLost(): void;
  /** The kubelet manages the pod again. */
  resume(): void;
  /** What it has of the node's memory; undefined: it does not run. */
  memoryUse(): MemoryUse | undefined;
  /** Ends the pod, as its node is short of memory. Its object stays. */
  evict(message: string): void;
  /** A container's main process was ended by a signal. */
  containerExited(runtime: ContainerRuntime, exitCode: number): void;
}

/** How often the kubelet compares what is stored with what it knows, ms. */
const statusSyncMs = 10_000;
/** What a pod has to end in whose node is below a hard threshold, s. */
const evictionGraceSeconds = 1;
/** From a volume that could not be mounted to the next try. */
const retryMs = 2000;

export function createPodWorker(ctx: KubeletContext, first: KubeObject, rng: Rng): PodWorker {
  const { loop } = ctx;
  const record = createPodRecord(loop, first);
  const { node, slots } = record;
  const reporter = createPodReporter(ctx, record);
  const containers = createContainerLifecycle(
    ctx,
    {
      object: () => record.pod,
      sandbox: () => record.sandbox,
      graceSeconds: () => record.ended?.graceSeconds,
      changed: () => reporter.plan(),
      sync: () => syncer.plan(),
      ended: () => {
        if (record.terminating) terminator.finish();
      },
    },
    rng,
  );
  const syncer = createPodSyncer(ctx, record, containers, reporter);
  const terminator = createPodTerminator(ctx, record, { containers, reporter, rng });
  const awake = (): boolean => ctx.nodes.of(node) === "running";

  /** A program that has started listens now, or ends because it cannot. */
  function openPorts(slot: ContainerSlot, runtime: ContainerRuntime): void {
    const why = record.sandbox && startError(record.sandbox, runtime, loop.now());
    if (why === undefined) return;
    runtime.logs.push({ at: loop.now(), stream: "stderr", text: why });
    containers.exited(slot, { exitCode: 1, reason: "Error" });
  }

  function createSandbox(): void {
    if (record.gone || record.terminating || !awake()) return;
    const failure = openSandbox(ctx, record);
    if (failure) {
      const source = { component: "kubelet", host: node };
      ctx.events.record(source, record.pod, { type: "Warning", ...failure });
      loop.after(retryMs, "kubelet.sandbox", createSandbox);
      return;
    }
    reporter.plan();
    syncer.sync();
  }

  const watchDeadline = createDeadline(loop, terminator.expire);
  watchDeadline(first.spec.activeDeadlineSeconds);
  reporter.plan();
  loop.after(250 + rng.int(500), "kubelet.sandbox", createSandbox);

  return {
    node,
    update(changed) {
      // Another client wrote the status: the kubelet's next sync corrects it.
      if (isForged(record, changed)) loop.after(statusSyncMs, "kubelet.status", reporter.plan);
      const grace = record.pod.metadata.deletionGracePeriodSeconds;
      record.pod = changed;
      if (record.sandbox) record.sandbox.labels = changed.metadata.labels ?? {};
      watchDeadline(changed.spec.activeDeadlineSeconds);
      if (!awake()) return;
      if (record.terminating) {
        const shorter = (changed.metadata.deletionGracePeriodSeconds ?? 0) < (grace ?? 0);
        if (shorter) for (const slot of slots.values()) containers.shorten(slot);
        return;
      }
      if (changed.metadata.deletionTimestamp !== undefined) {
        terminator.begin();
        return;
      }
      const phase = phaseOf(record);
      if (phase === "Running" || phase === "Pending") syncer.plan();
    },
    removed() {
      record.gone = true;
      for (const slot of slots.values()) containers.abandon(slot);
      closeSandbox(ctx, record);
    },
    follows: (configMap) => follows(record.pod, configMap),
    refresh(configMap) {
      if (awake()) refreshVolumes(ctx, record, configMap);
    },
    powerLost() {
      for (const slot of slots.values())
        if (slot.runtime) containers.exited(slot, { exitCode: 255, reason: "Unknown" });
      closeSandbox(ctx, record);
    },
    resume() {
      if (record.terminating) terminator.finish();
      else if (record.pod.metadata.deletionTimestamp !== undefined) terminator.begin();
      else {
        reporter.plan();
        if (record.sandbox) syncer.plan();
        else createSandbox();
      }
    },
    relist() {
      if (!awake()) return;
      for (const slot of slots.values())
        if (slot.runtime?.oomKilled) containers.exited(slot, { exitCode: 137, reason: "OOMKilled" });
        else if (slot.runtime) openPorts(slot, slot.runtime);
    },
    memoryUse: () => (record.ended || record.terminating ? undefined : memoryUse(record)),
    evict(message) {
      const source = { component: "kubelet", host: node };
      ctx.events.record(source, record.pod, { type: "Warning", reason: "Evicted", message });
      terminator.end({ reason: "Evicted", message, graceSeconds: evictionGraceSeconds, isDisruption: true });
    },
    containerExited(runtime, exitCode) {
      const slot = slots.get(runtime.name);
      if (slot?.runtime !== runtime) return;
      containers.exited(slot, { exitCode, reason: exitCode === 0 ? "Completed" : "Error" });
    },
  };
}

/**
 * Whether a pod has another status than its kubelet has written. One that is said to have ended ends, and what others may
 * add to a status the next report keeps.
 */
function isForged({ reported, pod }: PodRecord, { status }: KubeObject): boolean {
  if (reported === undefined || status === pod.status || status === reported) return false;
  if (status?.phase === "Succeeded" || status?.phase === "Failed") return false;
  return JSON.stringify(status) !== JSON.stringify(reported);
}
