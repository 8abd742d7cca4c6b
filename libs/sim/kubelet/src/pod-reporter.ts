import { resources } from "@microremed/sim-objects";
import type { KubeletContext } from "./context.ts";
import type { PodRecord } from "./pod-record.ts";
import { podStatus } from "./pod-status.ts";

const statusDelayMs = 15;

const deadlineExceeded = {
  phase: "Failed",
  reason: "DeadlineExceeded",
  message: "Pod was active on the node longer than the specified deadline",
};

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
    const shown = record.expired ? { ...status, ...deadlineExceeded } : status;
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
