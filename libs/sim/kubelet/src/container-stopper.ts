import type { Rng } from "@microremed/core";
import { type ContainerRuntime, exitCodeOnTerm } from "@microremed/sim-machine";
import type { ContainerHost } from "./container-host.types.ts";
import type { ContainerSlot } from "./container-slot.ts";
import type { KubeletContext } from "./context.ts";
import { runHook } from "./run-hook.ts";

/** The kubelet's minimumGracePeriodInSeconds: what a preStop hook leaves at least. */
const leastGraceMs = 2000;
/** Exit code of a process that a SIGKILL ended. */
const sigkilled = 137;

interface StopperHost extends ContainerHost {
  readonly rng: Rng;
  /** Ends probes and programs of the container. */
  stopWatching(slot: ContainerSlot): void;
  ended(slot: ContainerSlot, exitCode: number): void;
}

interface Stopped {
  /** After SIGTERM. */
  readonly ms: number;
  readonly exitCode: number;
}

/** How a program ends that gets SIGTERM and, when `graceMs` are over, SIGKILL. `takesMs`: what it needs by itself. */
function stopped(runtime: ContainerRuntime, takesMs: number, graceMs: number): Stopped {
  const exitCode = exitCodeOnTerm(runtime);
  return exitCode === undefined || takesMs > graceMs
    ? { ms: graceMs, exitCode: sigkilled }
    : { ms: takesMs, exitCode };
}

/** Stops running containers: preStop hook, SIGTERM, grace, SIGKILL. */
export function createContainerStopper({ network, images }: KubeletContext, host: StopperHost) {
  function graceMs(): number {
    const { metadata, spec } = host.object();
    const ofPod = metadata.deletionGracePeriodSeconds ?? spec.terminationGracePeriodSeconds ?? 30;
    return 1000 * (host.graceSeconds() ?? ofPod);
  }

  /** Runs the preStop hook; returns how long it takes, ms: no longer than the grace period. */
  function preStop(slot: ContainerSlot, runtime: ContainerRuntime): number {
    const hook = slot.spec.lifecycle?.preStop;
    const sandbox = host.sandbox();
    if (!hook || !sandbox || graceMs() === 0) return 0;
    const ran = runHook({ network, sandbox, container: runtime, spec: slot.spec }, hook, graceMs());
    if (!ran.ok) host.event(slot, "Warning", "FailedPreStopHook", "PreStopHook failed");
    return ran.elapsedMs;
  }

  function terminate(
    slot: ContainerSlot,
    runtime: ContainerRuntime,
    hookMs: number,
    graceLeft: number,
  ): void {
    const takesMs = images.isPause(slot.image) ? 50 : 300 + host.rng.int(900);
    const { ms, exitCode } = stopped(runtime, takesMs, graceLeft);
    host.later(slot, hookMs + ms, "kubelet.kill", () => host.ended(slot, exitCode));
  }

  return {
    /** Stops a running container; what follows is up to the restart policy. */
    kill(slot: ContainerSlot, why: string): void {
      if (slot.busy || !slot.runtime) return;
      const { runtime } = slot;
      host.event(slot, "Normal", "Killing", why);
      host.stopWatching(slot);
      slot.busy = true;
      slot.busyImage = slot.image;
      slot.epoch += 1;
      const hookMs = preStop(slot, runtime);
      terminate(slot, runtime, hookMs, hookMs > 0 ? Math.max(leastGraceMs, graceMs() - hookMs) : graceMs());
    },
    /** The grace of a container that is being stopped has become shorter. */
    shorten(slot: ContainerSlot): void {
      if (slot.runtime) terminate(slot, slot.runtime, 0, graceMs());
    },
  };
}
