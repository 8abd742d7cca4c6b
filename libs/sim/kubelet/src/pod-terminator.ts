import type { Rng } from "@microremed/core";
import { resources } from "@microremed/sim-objects";
import type { ContainerLifecycle } from "./container-lifecycle.ts";
import type { KubeletContext } from "./context.ts";
import type { PodEnd, PodRecord } from "./pod-record.ts";
import type { PodReporter } from "./pod-reporter.ts";
import { closeSandbox } from "./pod-sandbox.ts";

/** How often the kubelet checks for pods that exceed their active deadline, ms. */
const deadlineRetryMs = 10_000;

const deadlineExceeded: PodEnd = {
  reason: "DeadlineExceeded",
  message: "Pod was active on the node longer than the specified deadline",
};

/** Ends pods: those that are deleted, those that ran longer than they may, and those that the node cannot keep. */
export interface PodTerminator {
  begin(): void;
  /** Removes the pod once all its containers have ended. */
  finish(): void;
  /** Its active deadline is over. */
  expire(): void;
  /** Ends the containers; the pod's object stays and says why. */
  end(why: PodEnd): void;
}

export function createPodTerminator(
  ctx: KubeletContext,
  record: PodRecord,
  {
    containers,
    reporter,
    rng,
  }: { readonly containers: ContainerLifecycle; readonly reporter: PodReporter; readonly rng: Rng },
): PodTerminator {
  const { store, loop } = ctx;
  const { namespace, name, uid, node, slots } = record;
  const awake = (): boolean => ctx.nodes.of(node) === "running";

  function stopAll(): void {
    for (const slot of slots.values()) {
      containers.abandon(slot);
      if (slot.runtime) containers.kill(slot, `Stopping container ${slot.name}`);
    }
  }

  function finish(): void {
    if ([...slots.values()].some((slot) => slot.runtime)) return;
    loop.after(100 + rng.int(200), "kubelet.remove", () => {
      if (record.gone || !awake()) return;
      reporter.write();
      const stored = store.get(resources.pods, namespace, name);
      if (stored?.metadata.uid !== uid) return;
      store.delete(resources.pods, namespace, name, { gracePeriodSeconds: 0, preconditions: { uid } });
      closeSandbox(ctx, record);
    });
  }

  function expire(): void {
    if (record.gone || record.terminating) return;
    if (!awake()) {
      loop.after(deadlineRetryMs, "kubelet.deadline", expire);
      return;
    }
    end(deadlineExceeded);
  }

  function end(why: PodEnd): void {
    if (record.gone || record.terminating || record.ended) return;
    record.ended = why;
    stopAll();
    reporter.plan();
  }

  return {
    finish,
    expire,
    end,
    begin() {
      record.terminating = true;
      stopAll();
      finish();
    },
  };
}
