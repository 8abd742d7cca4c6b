import type { Rng } from "@microremed/core";
import type { ContainerHost } from "./container-host.types.ts";
import type { ContainerSlot } from "./container-slot.ts";
import type { KubeletContext } from "./context.ts";
import { postStartLimitMs, runHook } from "./run-hook.ts";
import { runProgram } from "./run-program.ts";
import { type ProbeEvents, startProbes } from "./start-probes.ts";

interface RunnerHost extends ContainerHost {
  readonly rng: Rng;
  /** The pod is to be taken where its spec wants it. */
  sync(): void;
  kill(slot: ContainerSlot, why: string): void;
  ended(slot: ContainerSlot, exitCode: number): void;
}

/** Manages a container from its start on: postStart hook, probes, the end of its program. */
export function createContainerRunner(
  ctx: KubeletContext,
  host: RunnerHost,
): { started(slot: ContainerSlot): void } {
  const { loop, network, images } = ctx;
  const probeEvents: ProbeEvents = {
    unhealthy: (slot, message) => host.event(slot, "Warning", "Unhealthy", message),
    changed() {
      host.changed();
      host.sync();
    },
    failed: host.kill,
  };

  /** The kubelet waits for the postStart hook before it continues; a hook that fails kills the container. */
  function started(slot: ContainerSlot): void {
    const { runtime, spec } = slot;
    const hook = spec.lifecycle?.postStart;
    const sandbox = host.sandbox();
    if (!hook || !runtime || !sandbox) {
      running(slot);
      return;
    }
    const ran = runHook({ network, sandbox, container: runtime, spec }, hook, postStartLimitMs);
    host.later(slot, ran.elapsedMs, "kubelet.post-start", () => {
      if (slot.runtime !== runtime) return;
      running(slot);
      if (ran.ok) return;
      host.event(slot, "Warning", "FailedPostStartHook", "PostStartHook failed");
      host.kill(slot, "FailedPostStartHook");
    });
  }

  function running(slot: ContainerSlot): void {
    const { runtime, spec } = slot;
    const sandbox = host.sandbox();
    if (!runtime || !sandbox) return;
    slot.started = !spec.startupProbe;
    slot.ready = slot.started && !spec.readinessProbe && (!slot.init || spec.restartPolicy === "Always");
    const { runCommand, runMainScript } = ctx;
    const program = { loop, network, images, runtime, sandbox, runCommand, runMainScript };
    slot.stops.push(runProgram(program, (exitCode) => host.ended(slot, exitCode)));
    const target = { sandbox, container: runtime, spec };
    const awake = (): boolean => ctx.nodes.of(sandbox.nodeName) === "running";
    slot.stops.push(...startProbes({ loop, rng: host.rng, network, slot, target, awake }, probeEvents));
    host.changed();
    host.sync();
  }

  return { started };
}
