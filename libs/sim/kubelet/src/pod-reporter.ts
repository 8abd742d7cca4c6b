import { resources } from "@microremed/sim-objects";
import { rfc3339 } from "@microremed/sim-time";
import type { KubeletContext } from "./context.ts";
import type { PodEnd, PodRecord } from "./pod-record.ts";
import { podStatus } from "./pod-status.ts";

const statusDelayMs = 15;

/** Writes the pod's status into the store. */
export interface PodReporter {
  /** Soon; several calls before that make one. */
  plan(): void;
  write(): void;
}

export function createPodReporter(ctx: KubeletContext, record: PodRecord): PodReporter {
  const { store, loop, images } = ctx;
  const { namespace, name, uid, node, slots, startTime } = record;

  function write(): void {
    record.statusPlanned = false;
    if (record.gone || ctx.nodes.of(node) !== "running") return;
    const stored = store.get(resources.pods, namespace, name);
    if (stored?.metadata.uid !== uid) return;
    const status = podStatus({
      pod: stored,
      slots,
      images,
      hostIp: ctx.hostIp(node),
      podIp: record.sandbox?.ip,
      startTime,
      now: loop.now(),
      resize: record.resize,
      terminating: record.terminating,
    });
    // No other pod is to take its place before what it has is free.
    const isOver = [...slots.values()].every(({ runtime }) => runtime === undefined);
    const shown = record.ended && isOver ? failed(status, record.ended, loop.now()) : status;
    if (record.sandbox && (shown.phase === "Succeeded" || shown.phase === "Failed"))
      record.sandbox.isDown = true;
    // Before the write: its event says that nothing is to be put right.
    record.reported = shown;
    record.reported = store.update(resources.pods, { ...stored, status: shown }, { status: true }).status;
  }

  return {
    write,
    plan() {
      if (record.statusPlanned || record.gone) return;
      record.statusPlanned = true;
      loop.after(statusDelayMs, "kubelet.status", write);
    },
  };
}

/** The status of a pod that its kubelet has ended. */
function failed(
  status: ReturnType<typeof podStatus>,
  { reason, message, isDisruption }: PodEnd,
  now: number,
): Record<string, unknown> {
  const conditions = (status["conditions"] ?? []) as readonly { readonly type: string }[];
  const isMarked = !isDisruption || conditions.some(({ type }) => type === "DisruptionTarget");
  const disrupted = {
    type: "DisruptionTarget",
    status: "True",
    reason: "TerminationByKubelet",
    message,
    lastProbeTime: null,
    lastTransitionTime: rfc3339(now),
  };
  return {
    ...status,
    phase: "Failed",
    reason,
    message,
    conditions: isMarked ? conditions : [...conditions, disrupted],
  };
}
