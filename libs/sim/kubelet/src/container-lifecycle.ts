import type { Rng } from "@microremed/core";
import type { PodSandbox } from "@microremed/sim-machine";
import type { KubeObject } from "@microremed/sim-objects";
import { endedSlot } from "./container-end.ts";
import type { ContainerEnd, ContainerHost } from "./container-host.types.ts";
import { createContainerRunner } from "./container-runner.ts";
import { type ContainerSlot, endOf, showWaiting } from "./container-slot.ts";
import type { ContainerSpec } from "./container-spec.ts";
import { createContainerStarter } from "./container-starter.ts";
import { createContainerStopper } from "./container-stopper.ts";
import type { KubeletContext } from "./context.ts";
import { crashLoopMessage, restartDecision } from "./restart-decision.ts";
import { createSlotTimer } from "./slot-timer.ts";

/** The pod that containers live in. */
export interface PodOfContainers {
  object(): KubeObject;
  sandbox(): PodSandbox | undefined;
  /** What its containers have to end in, s, where it is not what the pod says. */
  graceSeconds(): number | undefined;
  /** The pod's status is to be written. */
  changed(): void;
  /** The pod is to be taken where its spec wants it. */
  sync(): void;
  /** A container has ended. */
  ended(): void;
}

/** What happens to the containers of one pod: started, probed, stopped, restarted with back-off. */
export interface ContainerLifecycle {
  /** Takes a container to where its spec wants it: running, with this image. */
  sync(slot: ContainerSlot, spec: ContainerSpec): void;
  /** Starts a container that may run and doesn't. */
  ensureStarted(slot: ContainerSlot, spec: ContainerSpec): void;
  /** Stops a running container; what follows is up to the restart policy. */
  kill(slot: ContainerSlot, why: string): void;
  /** The grace of a container that is being stopped has become shorter. */
  shorten(slot: ContainerSlot): void;
  /** The container has ended by itself or by the kernel. */
  exited(slot: ContainerSlot, end: ContainerEnd): void;
  /** Forgets whatever is under way with a container. */
  abandon(slot: ContainerSlot): void;
}

/** The kubelet keeps no more of a termination message, bytes. */
const maxMessageBytes = 4096;
/** How often the back-off event is repeated, ms. */
const backOffEventMs = 12_000;

export function createContainerLifecycle(
  ctx: KubeletContext,
  pod: PodOfContainers,
  rng: Rng,
): ContainerLifecycle {
  const { loop, events } = ctx;
  const host: ContainerHost = { ...pod, event, later: createSlotTimer(loop) };
  const stopper = createContainerStopper(ctx, { ...host, rng, stopWatching, ended });
  const { kill } = stopper;
  const runner = createContainerRunner(ctx, { ...host, rng, sync: pod.sync, kill, ended });
  const starter = createContainerStarter({ ...ctx, rng }, { ...host, running: runner.started, exited });

  function event(slot: ContainerSlot, type: "Normal" | "Warning", reason: string, message: string): void {
    const list = slot.init ? "initContainers" : slot.ephemeral ? "ephemeralContainers" : "containers";
    const fieldPath = `spec.${list}{${slot.name}}`;
    const source = { component: "kubelet", host: pod.object().spec.nodeName as string };
    events.record(source, pod.object(), { type, reason, message, fieldPath });
  }

  function sync(slot: ContainerSlot, spec: ContainerSpec): void {
    if (slot.busy) {
      if (slot.busyImage === spec.image || slot.state.type === "running") return;
      starter.cancel(slot);
    }
    if (slot.state.type !== "running") ensureStarted(slot, spec);
    else if (slot.image !== spec.image)
      kill(slot, `Container ${slot.name} definition changed, will be restarted`);
  }

  function ensureStarted(slot: ContainerSlot, spec: ContainerSpec): void {
    const now = loop.now();
    const decision = restartDecision(slot, spec, pod.object().spec.restartPolicy, now);
    if (decision.do === "wait") backOff(slot, spec, decision.ms);
    if (decision.do !== "start") return;
    const end = endOf(slot);
    if (end) slot.restarts.next(spec.image, end.finishedAt, now);
    starter.start(slot, spec);
  }

  function backOff(slot: ContainerSlot, spec: ContainerSpec, leftMs: number): void {
    if (slot.backingOff) return;
    slot.backingOff = true;
    const { name, namespace, uid } = pod.object().metadata;
    const podName = `${name}_${namespace}(${uid})`;
    event(slot, "Warning", "BackOff", `Back-off restarting failed container ${slot.name} in pod ${podName}`);
    const message = crashLoopMessage(slot.name, podName, slot.restarts.delay(spec.image));
    showWaiting(slot, "CrashLoopBackOff", message);
    pod.changed();
    loop.after(Math.min(leftMs, backOffEventMs), "kubelet.back-off", () => {
      slot.backingOff = false;
      pod.sync();
    });
  }

  function stopWatching(slot: ContainerSlot): void {
    for (const stop of slot.stops.splice(0)) stop();
  }

  function ended(slot: ContainerSlot, exitCode: number): void {
    exited(slot, { exitCode, reason: exitCode === 0 ? "Completed" : "Error" });
  }

  function exited(slot: ContainerSlot, end: ContainerEnd): void {
    abandon(slot);
    const now = loop.now();
    const { runtime } = slot;
    const startedAt = runtime?.startedAt ?? now;
    const isLast = pod.object().spec.restartPolicy === "Never" && slot.spec.restartPolicy !== "Always";
    Object.assign(slot, endedSlot(slot, end, { startedAt, written: terminationMessage(slot), now, isLast }));
    if (runtime) {
      const sandbox = pod.sandbox();
      sandbox?.containers.delete(slot.name);
      if (sandbox) sandbox.ended = new Map(sandbox.ended).set(slot.name, runtime);
      slot.runtime = undefined;
    }
    // A dead container is seen at the next relist.
    const settleMs = end.neverRan ? 1000 + rng.int(2000) : 100 + rng.int(900);
    slot.settlesAt = now + settleMs;
    pod.changed();
    pod.ended();
    loop.after(settleMs, "kubelet.relist", pod.sync);
  }

  function abandon(slot: ContainerSlot): void {
    stopWatching(slot);
    slot.epoch += 1;
    slot.busy = false;
  }

  return { sync, ensureStarted, kill, shorten: stopper.shorten, exited, abandon };
}

/** What the program wrote to its termination log. */
function terminationMessage({ runtime, spec }: ContainerSlot): string | undefined {
  const written = runtime?.files.get(spec.terminationMessagePath ?? "/dev/termination-log");
  return written && new TextDecoder().decode(written.subarray(-maxMessageBytes));
}
