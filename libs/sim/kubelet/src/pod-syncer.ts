import type { ContainerLifecycle } from "./container-lifecycle.ts";
import { type ContainerSlot, createSlot } from "./container-slot.ts";
import {
  type ContainerSpec,
  containersOf,
  ephemeralContainersOf,
  initContainersOf,
} from "./container-spec.ts";
import type { KubeletContext } from "./context.ts";
import type { PodRecord } from "./pod-record.ts";
import type { PodReporter } from "./pod-reporter.ts";
import { createPodResizer } from "./pod-resizer.ts";
import { hasBegun, isInitDone } from "./pod-status.ts";

/** Takes a pod's containers to where its spec wants them. */
export interface PodSyncer {
  /** Soon; several calls before that make one. */
  plan(): void;
  sync(): void;
}

interface InitStep {
  readonly slot: ContainerSlot;
  readonly spec: ContainerSpec;
}

/** The init container that is to be through next; undefined: the containers may run. */
function nextInit({ pod, slots }: Pick<PodRecord, "pod" | "slots">): InitStep | undefined {
  if (hasBegun([...slots.values()])) return undefined;
  for (const spec of initContainersOf(pod)) {
    const slot = slots.get(spec.name);
    if (slot && !isInitDone(slot)) return { slot, spec };
  }
  return undefined;
}

export function createPodSyncer(
  ctx: KubeletContext,
  record: PodRecord,
  containers: ContainerLifecycle,
  reporter: PodReporter,
): PodSyncer {
  const { loop } = ctx;
  const { slots, node } = record;
  const resizer = createPodResizer(ctx, {
    object: () => record.pod,
    slots,
    state: () => record.resize,
    show(resize) {
      record.resize = resize;
      reporter.plan();
    },
    later: (ms) => loop.after(ms, "kubelet.resize", plan),
    restart: (slot) => containers.kill(slot, `Container ${slot.name} resize requires restart`),
  });

  function plan(): void {
    if (record.syncPlanned || record.gone) return;
    record.syncPlanned = true;
    loop.after(2, "kubelet.sync", () => {
      record.syncPlanned = false;
      if (!record.gone && !record.terminating) sync();
    });
  }

  function sync(): void {
    if (!record.sandbox || record.ended || ctx.nodes.of(node) !== "running") return;
    const init = nextInit(record);
    if (init) {
      if (init.slot.state.type !== "running") containers.ensureStarted(init.slot, init.spec);
      return;
    }
    for (const spec of containersOf(record.pod)) {
      const slot = slots.get(spec.name);
      if (slot) containers.sync(slot, spec);
    }
    resizer.sync();
    for (const spec of ephemeralContainersOf(record.pod)) {
      const known = slots.get(spec.name);
      const slot = known ?? createSlot(loop, spec, false, "ContainerCreating", true);
      slots.set(spec.name, slot);
      containers.sync(slot, spec);
      if (!known) reporter.plan();
    }
  }

  return { plan, sync };
}
