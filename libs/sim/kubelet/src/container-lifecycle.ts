import type { Rng } from "@microremed/core";
import { type ContainerRuntime, exitCodeOnTerm, type PodSandbox } from "@microremed/sim-machine";
import type { KubeObject } from "@microremed/sim-objects";
import { type ContainerSlot, endOf } from "./container-slot.ts";
import type { ContainerSpec } from "./container-spec.ts";
import { type ContainerEnd, createContainerStarter } from "./container-starter.ts";
import type { KubeletContext } from "./context.ts";
import { postStartLimitMs, runHook } from "./run-hook.ts";
import { runProgram } from "./run-program.ts";
import { startProbes } from "./start-probes.ts";

/** The pod that containers live in. */
export interface PodOfContainers {
  object(): KubeObject;
  sandbox(): PodSandbox | undefined;
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
  hurry(slot: ContainerSlot): void;
  /** The container has ended by itself or by the kernel. */
  exited(slot: ContainerSlot, end: ContainerEnd): void;
  /** Forgets whatever is under way with a container. */
  abandon(slot: ContainerSlot): void;
}

/** The kubelet keeps no more of a termination message, bytes. */
const maxMessageBytes = 4096;
/** The kubelet's minimumGracePeriodInSeconds: what a preStop hook leaves at least. */
const leastGraceMs = 2000;
/** Exit code of a process that a SIGKILL ended. */
const sigkilled = 137;
/** How often the back-off event is repeated, ms. */
const backOffEventMs = 12_000;

interface Stopped {
  /** After SIGTERM. */
  readonly ms: number;
  readonly exitCode: number;
}

export function createContainerLifecycle(
  ctx: KubeletContext,
  pod: PodOfContainers,
  rng: Rng,
): ContainerLifecycle {
  const { loop, events, network, images } = ctx;
  const starter = createContainerStarter({ ...ctx, rng }, { ...pod, event, running: started, exited });
  const probeEvents = {
    unhealthy: (slot: ContainerSlot, message: string) => event(slot, "Warning", "Unhealthy", message),
    changed: (): void => {
      pod.changed();
      pod.sync();
    },
    failed: kill,
  };

  function event(slot: ContainerSlot, type: "Normal" | "Warning", reason: string, message: string): void {
    const list = slot.init ? "initContainers" : slot.ephemeral ? "ephemeralContainers" : "containers";
    const fieldPath = `spec.${list}{${slot.name}}`;
    const source = { component: "kubelet", host: pod.object().spec.nodeName as string };
    events.record(source, pod.object(), { type, reason, message, fieldPath });
  }

  function syncContainer(slot: ContainerSlot, spec: ContainerSpec): void {
    if (slot.busy) {
      if (slot.busyImage === spec.image || slot.state.type === "running") return;
      starter.cancel(slot);
    }
    if (slot.state.type !== "running") ensureStarted(slot, spec);
    else if (slot.image !== spec.image)
      kill(slot, `Container ${slot.name} definition changed, will be restarted`);
  }

  function mayRestart(slot: ContainerSlot): boolean {
    const end = endOf(slot);
    const policy = slot.spec.restartPolicy ?? pod.object().spec.restartPolicy ?? "Always";
    if (!end) return true;
    if (slot.ephemeral) return false;
    if (slot.init && policy === "Always") return true;
    return policy === "Always" || (policy === "OnFailure" && end.exitCode !== 0);
  }

  function ensureStarted(slot: ContainerSlot, spec: ContainerSpec): void {
    if (slot.busy || loop.now() < slot.settlesAt || !mayRestart(slot)) return;
    const end = endOf(slot);
    if (end) {
      const now = loop.now();
      const left = slot.restarts.left(spec.image, end.finishedAt, now);
      if (left > 0) {
        backOff(slot, spec, left);
        return;
      }
      slot.restarts.next(spec.image, end.finishedAt, now);
    }
    starter.start(slot, spec);
  }

  function backOff(slot: ContainerSlot, spec: ContainerSpec, leftMs: number): void {
    if (slot.backingOff) return;
    slot.backingOff = true;
    const { name, namespace, uid } = pod.object().metadata;
    const podName = `${name}_${namespace}(${uid})`;
    const seconds = Math.round(slot.restarts.delay(spec.image) / 1000);
    const wait = seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m${seconds % 60}s`;
    event(slot, "Warning", "BackOff", `Back-off restarting failed container ${slot.name} in pod ${podName}`);
    if (slot.state.type === "terminated") slot.last = slot.state;
    slot.state = {
      type: "waiting",
      reason: "CrashLoopBackOff",
      message: `back-off ${wait} restarting failed container=${slot.name} pod=${podName}`,
    };
    pod.changed();
    loop.after(Math.min(leftMs, backOffEventMs), "kubelet.back-off", () => {
      slot.backingOff = false;
      pod.sync();
    });
  }

  /** The kubelet waits for the postStart hook before it looks further; a hook that fails kills the container. */
  function started(slot: ContainerSlot): void {
    const { runtime, spec } = slot;
    const hook = spec.lifecycle?.postStart;
    const sandbox = pod.sandbox();
    if (!hook || !runtime || !sandbox) {
      running(slot);
      return;
    }
    const ran = runHook({ network, sandbox, container: runtime, spec }, hook, postStartLimitMs);
    starter.later(slot, ran.elapsedMs, "kubelet.post-start", () => {
      if (slot.runtime !== runtime) return;
      running(slot);
      if (ran.ok) return;
      event(slot, "Warning", "FailedPostStartHook", "PostStartHook failed");
      kill(slot, "FailedPostStartHook");
    });
  }

  function running(slot: ContainerSlot): void {
    const { runtime, spec } = slot;
    const sandbox = pod.sandbox();
    if (!runtime || !sandbox) return;
    slot.started = !spec.startupProbe;
    slot.ready = slot.started && !spec.readinessProbe && (!slot.init || spec.restartPolicy === "Always");
    watchProgram(slot, runtime, sandbox);
    const target = { sandbox, container: runtime, spec };
    const awake = (): boolean => ctx.nodes.of(sandbox.nodeName) === "running";
    const stops = startProbes({ loop, rng, network, slot, target, awake }, probeEvents);
    slot.stops.push(...stops);
    pod.changed();
    pod.sync();
  }

  function watchProgram(slot: ContainerSlot, runtime: ContainerRuntime, at: PodSandbox): void {
    const stop = runProgram(
      { loop, network, images, runtime, sandbox: at, runCommand: ctx.runCommand },
      (exitCode) => end(slot, exitCode),
    );
    slot.stops.push(stop);
  }

  function stopWatching(slot: ContainerSlot): void {
    for (const stop of slot.stops.splice(0)) stop();
  }

  function graceMs(): number {
    const { metadata, spec } = pod.object();
    return (metadata.deletionGracePeriodSeconds ?? spec.terminationGracePeriodSeconds ?? 30) * 1000;
  }

  /** Runs the preStop hook; returns how long it takes, ms: no longer than the grace period. */
  function preStop(slot: ContainerSlot, runtime: ContainerRuntime): number {
    const hook = slot.spec.lifecycle?.preStop;
    const sandbox = pod.sandbox();
    if (!hook || !sandbox || graceMs() === 0) return 0;
    const ran = runHook({ network, sandbox, container: runtime, spec: slot.spec }, hook, graceMs());
    if (!ran.ok) event(slot, "Warning", "FailedPreStopHook", "PreStopHook failed");
    return ran.elapsedMs;
  }

  /** How a program ends that gets SIGTERM and, when the grace is over, SIGKILL. */
  function stopped({ image }: ContainerSlot, runtime: ContainerRuntime, left: number): Stopped {
    const exitCode = exitCodeOnTerm(runtime);
    const takes = images.isPause(image) ? 50 : 300 + rng.int(900);
    return exitCode === undefined || takes > left
      ? { ms: left, exitCode: sigkilled }
      : { ms: takes, exitCode };
  }

  /** Stops a running container; what follows is up to the restart policy. */
  function kill(slot: ContainerSlot, why: string): void {
    if (slot.busy || !slot.runtime) return;
    const { runtime } = slot;
    event(slot, "Normal", "Killing", why);
    stopWatching(slot);
    slot.busy = true;
    slot.busyImage = slot.image;
    slot.epoch += 1;
    const hookMs = preStop(slot, runtime);
    const left = hookMs > 0 ? Math.max(leastGraceMs, graceMs() - hookMs) : graceMs();
    const { ms, exitCode } = stopped(slot, runtime, left);
    starter.later(slot, hookMs + ms, "kubelet.kill", () => end(slot, exitCode));
  }

  function end(slot: ContainerSlot, exitCode: number): void {
    exited(slot, { exitCode, reason: exitCode === 0 ? "Completed" : "Error" });
  }

  function hurry(slot: ContainerSlot): void {
    if (!slot.runtime) return;
    const { ms, exitCode } = stopped(slot, slot.runtime, graceMs());
    starter.later(slot, ms, "kubelet.kill", () => end(slot, exitCode));
  }

  /** What the program wrote to its termination log. */
  function lastWords({ runtime, spec }: ContainerSlot): string | undefined {
    const written = runtime?.files.get(spec.terminationMessagePath ?? "/dev/termination-log");
    return written && new TextDecoder().decode(written.subarray(-maxMessageBytes));
  }

  function exited(slot: ContainerSlot, end: ContainerEnd): void {
    abandon(slot);
    const now = loop.now();
    const { exitCode, reason } = end;
    const message = end.message ?? lastWords(slot);
    const terminated = {
      exitCode,
      reason,
      ...(message !== undefined && { message }),
      startedAt: end.neverRan ? 0 : (slot.runtime?.startedAt ?? now),
      finishedAt: now,
      containerId: slot.containerId,
    };
    slot.state = { type: "terminated", ...terminated };
    if (end.neverRan) {
      slot.last = terminated;
      slot.state = { type: "waiting", reason: "RunContainerError", message: message ?? "" };
    }
    // A finished init container counts as ready.
    slot.ready = slot.init && exitCode === 0;
    slot.started = false;
    if (slot.runtime) {
      const sandbox = pod.sandbox();
      sandbox?.containers.delete(slot.name);
      if (sandbox) sandbox.ended = new Map(sandbox.ended).set(slot.name, slot.runtime);
      slot.runtime = undefined;
    }
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

  return { sync: syncContainer, ensureStarted, kill, hurry, exited, abandon };
}
