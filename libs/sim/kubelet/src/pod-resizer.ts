import { jsonEqual, type KubeObject } from "@microremed/sim-objects";
import type { ContainerSlot } from "./container-slot.ts";
import { containersOf } from "./container-spec.ts";
import type { KubeletContext } from "./context.ts";
import {
  memoryInUse,
  pendingResizes,
  type ResizeState,
  resizeContainer,
  resizeHindrance,
  restartsFor,
} from "./resize-checks.ts";

/** The pod whose containers are resized. */
interface ResizedPod {
  object(): KubeObject;
  readonly slots: ReadonlyMap<string, ContainerSlot>;
  state(): ResizeState | undefined;
  /** Makes it a condition of the pod, or takes it back. */
  show(state: ResizeState | undefined): void;
  /** Checks the pod again after `ms` of cluster time. */
  later(ms: number): void;
  restart(slot: ContainerSlot): void;
}

/** From the decision to the new cgroup, ms. */
const actuationMs = 1000;
/** How often the kubelet checks whether there is room, ms. */
const retryMs = 10_000;

/** Takes the resources of running containers to where the pod's spec wants them, once its node has room for them. */
export function createPodResizer({ store, loop }: KubeletContext, pod: ResizedPod): { sync(): void } {
  const planned = loop.keep({ at: 0 });

  function show(state: ResizeState | undefined): void {
    if (!jsonEqual(pod.state(), state)) pod.show(state);
  }

  function hold(state: ResizeState): void {
    show(state);
    if (planned.at > loop.now()) return;
    planned.at = loop.now() + retryMs;
    pod.later(retryMs);
  }

  function sync(): void {
    const resizes = pendingResizes(pod.slots, containersOf(pod.object()));
    if (resizes.length === 0) {
      show(undefined);
      return;
    }
    const hindrance = resizeHindrance(store, pod.object());
    if (hindrance) {
      hold(hindrance);
      return;
    }
    if (pod.state()?.type !== "PodResizeInProgress") {
      planned.at = loop.now() + actuationMs;
      show({ type: "PodResizeInProgress" });
      pod.later(actuationMs);
      return;
    }
    if (planned.at > loop.now()) return;
    const inUse = resizes.map(memoryInUse).find((state) => state !== undefined);
    if (inUse) {
      hold(inUse);
      return;
    }
    for (const resize of resizes) {
      const { slot, spec } = resize;
      const restarts = restartsFor(resize);
      if (slot.runtime) resizeContainer(slot.runtime, spec);
      slot.spec = spec;
      slot.resized = true;
      if (restarts) pod.restart(slot);
    }
    pod.show(undefined);
  }

  return { sync };
}
