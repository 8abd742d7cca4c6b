import type { Rng } from "@microremed/core";
import type { Network } from "@microremed/sim-machine";
import type { EventLoop } from "@microremed/sim-time";
import type { ContainerSlot } from "./container-slot.ts";
import type { ProbeSpec } from "./container-spec.ts";
import { type ProbeTarget, runProbe } from "./probe.ts";
import { startProbeWorker } from "./probe-worker.ts";

type ProbeKind = "Startup" | "Readiness" | "Liveness";

export interface ProbeEvents {
  unhealthy(slot: ContainerSlot, message: string): void;
  /** The slot's `ready` or `started` changed. */
  changed(): void;
  /** The container is to be stopped, and why. */
  failed(slot: ContainerSlot, why: string): void;
}

export interface ProbeDeps {
  readonly loop: EventLoop;
  readonly rng: Rng;
  readonly network: Network;
  readonly slot: ContainerSlot;
  readonly target: ProbeTarget;
  /** Whether the kubelet is there to probe. */
  awake(): boolean;
}

/** Starts a running container's probes; the startup probe holds the others back. Returns the ways to stop them. */
export function startProbes(deps: ProbeDeps, events: ProbeEvents): readonly (() => void)[] {
  const { loop, rng, network, slot, target, awake } = deps;
  const verdicts: Record<ProbeKind, (ok: boolean) => void> = {
    Startup: (ok) => {
      if (!ok) return events.failed(slot, `Container ${slot.name} failed startup probe, will be restarted`);
      slot.started = true;
      slot.ready = !slot.spec.readinessProbe;
      events.changed();
    },
    Readiness: (ok) => {
      slot.ready = ok;
      events.changed();
    },
    Liveness: (ok) => {
      if (!ok) events.failed(slot, `Container ${slot.name} failed liveness probe, will be restarted`);
    },
  };

  const start = (kind: ProbeKind, spec: ProbeSpec | undefined): readonly (() => void)[] => {
    if (!spec) return [];
    const stop = startProbeWorker({
      loop,
      rng,
      name: "kubelet.probe",
      spec,
      initially: kind === "Liveness",
      isDue: () => awake() && (kind === "Startup" ? !slot.started : slot.started),
      run: () => runProbe(network, target, spec),
      onFailure: (message) => events.unhealthy(slot, `${kind} probe failed: ${message}`),
      onChange: verdicts[kind],
      runsOnSync: kind === "Readiness",
    });
    return [stop];
  };

  const { startupProbe, readinessProbe, livenessProbe } = slot.spec;
  return [
    ...start("Startup", startupProbe),
    ...start("Readiness", readinessProbe),
    ...start("Liveness", livenessProbe),
  ];
}
