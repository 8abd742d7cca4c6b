import type { Rng } from "@microremed/core";
import type { ContainerRuntime, PodSandbox } from "../machine.ts";
import type { KubeObject } from "../objects.ts";
import { resources } from "../resources.ts";
import { type ContainerSlot, createSlot, endOf } from "./container-slot.ts";
import { type ContainerSpec, containersOf, initContainersOf, type ProbeSpec } from "./container-spec.ts";
import { createContainerStarter, type PodHost } from "./container-starter.ts";
import type { KubeletContext } from "./context.ts";
import { isInitDone, phaseOf, podStatus } from "./pod-status.ts";
import { mountVolumes } from "./pod-volumes.ts";
import { runProbe } from "./probe.ts";
import { startProbeWorker } from "./probe-worker.ts";
import { exitCodeOnTerm } from "./program.ts";
import { runProgram } from "./run-program.ts";

/** One pod on its node, from the moment it is bound until it is gone. */
export interface PodWorker {
  /** The stored pod changed. */
  update(pod: KubeObject): void;
  /** The stored pod is gone: nothing of it may be left. */
  removed(): void;
  /** Looks whether the kernel killed a container. */
  relist(): void;
  /** A container's main process ended by somebody's signal. */
  containerExited(runtime: ContainerRuntime, exitCode: number): void;
}

const statusDelayMs = 15;
const mountRetryMs = 2000;
const backOffEventMs = 12_000;

type ProbeKind = "Startup" | "Readiness" | "Liveness";

export function createPodWorker(ctx: KubeletContext, first: KubeObject, rng: Rng): PodWorker {
  const { store, loop, events, machine, network, images } = ctx;
  const { namespace = "", name, uid } = first.metadata;
  const node: string = first.spec.nodeName;
  const source = { component: "kubelet", host: node };
  const startTime = loop.now();
  const slots = new Map<string, ContainerSlot>();
  let pod = first;
  let sandbox: PodSandbox | undefined;
  let gone = false;
  let terminating = false;
  let statusPlanned = false;
  let syncPlanned = false;

  const host: PodHost = {
    pod: () => pod,
    sandbox: () => sandbox,
    changed: planStatus,
    sync: planSync,
    event(slot, type, reason, message) {
      const fieldPath = `spec.${slot.init ? "initContainers" : "containers"}{${slot.name}}`;
      events.record(source, pod, { type, reason, message, fieldPath });
    },
    running,
    exited,
  };
  const starter = createContainerStarter({ ...ctx, rng }, host);

  function planStatus(): void {
    if (statusPlanned || gone) return;
    statusPlanned = true;
    loop.after(statusDelayMs, "kubelet.status", writeStatus);
  }

  function writeStatus(): void {
    statusPlanned = false;
    if (gone) return;
    const stored = store.get(resources.pods, namespace, name);
    if (stored?.metadata.uid !== uid) return;
    const podIp = sandbox?.ip;
    const hostIp = ctx.hostIp(node);
    const status = podStatus({ pod: stored, slots, images, hostIp, podIp, startTime, now: loop.now() });
    store.update(resources.pods, { ...stored, status }, { status: true });
  }

  function planSync(): void {
    if (syncPlanned || gone) return;
    syncPlanned = true;
    loop.after(2, "kubelet.sync", () => {
      syncPlanned = false;
      if (!gone && !terminating) sync();
    });
  }

  // --- sandbox

  function createSandbox(): void {
    const mounted = mountVolumes(ctx, pod);
    if ("error" in mounted) {
      events.record(source, pod, { type: "Warning", reason: "FailedMount", message: mounted.error });
      loop.after(mountRetryMs, "kubelet.mount", () => {
        if (!gone && !terminating) createSandbox();
      });
      return;
    }
    const hostNetwork = Boolean(pod.spec.hostNetwork);
    sandbox = {
      namespace,
      name,
      uid,
      ip: hostNetwork ? ctx.hostIp(node) : ctx.ips.take(node),
      hostNetwork,
      nodeName: node,
      labels: pod.metadata.labels ?? {},
      containers: new Map(),
      volumes: mounted.volumes,
      netem: [],
      drops: [],
    };
    machine.sandboxes.set(uid, sandbox);
    planStatus();
    sync();
  }

  function removeSandbox(): void {
    if (!sandbox) return;
    sandbox.containers.clear();
    machine.sandboxes.delete(uid);
    if (!sandbox.hostNetwork) ctx.ips.free(sandbox.ip);
    sandbox = undefined;
  }

  // --- containers

  /** Takes containers one after the other to where the spec wants them. */
  function sync(): void {
    if (!sandbox) return;
    const begun = [...slots.values()].some(
      (slot) => !slot.init && (slot.state.type !== "waiting" || slot.last),
    );
    if (!begun) {
      for (const spec of initContainersOf(pod)) {
        const slot = slots.get(spec.name);
        if (!slot || isInitDone(slot)) continue;
        if (slot.state.type !== "running") ensureStarted(slot, spec);
        return;
      }
    }
    for (const spec of containersOf(pod)) {
      const slot = slots.get(spec.name);
      if (slot) syncContainer(slot, spec);
    }
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
    const policy = slot.spec.restartPolicy ?? pod.spec.restartPolicy ?? "Always";
    if (!end) return true;
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
    const podName = `${name}_${namespace}(${uid})`;
    const seconds = Math.round(slot.restarts.delay(spec.image) / 1000);
    const wait = seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m${seconds % 60}s`;
    host.event(
      slot,
      "Warning",
      "BackOff",
      `Back-off restarting failed container ${slot.name} in pod ${podName}`,
    );
    if (slot.state.type === "terminated") slot.last = slot.state;
    slot.state = {
      type: "waiting",
      reason: "CrashLoopBackOff",
      message: `back-off ${wait} restarting failed container=${slot.name} pod=${podName}`,
    };
    planStatus();
    loop.after(Math.min(leftMs, backOffEventMs), "kubelet.back-off", () => {
      slot.backingOff = false;
      planSync();
    });
  }

  function running(slot: ContainerSlot): void {
    const { runtime, spec } = slot;
    if (!runtime || !sandbox) return;
    slot.started = !spec.startupProbe;
    slot.ready = slot.started && !spec.readinessProbe && (!slot.init || spec.restartPolicy === "Always");
    watchProgram(slot, runtime, sandbox);
    if (spec.startupProbe) watchProbe(slot, runtime, sandbox, "Startup", spec.startupProbe);
    if (spec.readinessProbe) watchProbe(slot, runtime, sandbox, "Readiness", spec.readinessProbe);
    if (spec.livenessProbe) watchProbe(slot, runtime, sandbox, "Liveness", spec.livenessProbe);
    planStatus();
    planSync();
  }

  function watchProgram(slot: ContainerSlot, runtime: ContainerRuntime, at: PodSandbox): void {
    const stop = runProgram({ loop, network, images, runtime, sandbox: at }, (exitCode) =>
      exited(slot, { exitCode, reason: exitCode === 0 ? "Completed" : "Error" }),
    );
    slot.stops.push(stop);
  }

  function watchProbe(
    slot: ContainerSlot,
    container: ContainerRuntime,
    at: PodSandbox,
    kind: ProbeKind,
    spec: ProbeSpec,
  ): void {
    const target = { sandbox: at, container, spec: slot.spec };
    const verdicts: Record<ProbeKind, (ok: boolean) => void> = {
      Startup: (ok) => {
        if (!ok) {
          kill(slot, `Container ${slot.name} failed startup probe, will be restarted`);
          return;
        }
        slot.started = true;
        slot.ready = !slot.spec.readinessProbe;
        planStatus();
        planSync();
      },
      Readiness: (ok) => {
        slot.ready = ok;
        planStatus();
      },
      Liveness: (ok) => {
        if (!ok) kill(slot, `Container ${slot.name} failed liveness probe, will be restarted`);
      },
    };
    const stop = startProbeWorker({
      loop,
      rng,
      name: "kubelet.probe",
      spec,
      initially: kind === "Liveness",
      isDue: () => (kind === "Startup" ? !slot.started : slot.started),
      run: () => runProbe(network, target, spec),
      onFailure: (message) => host.event(slot, "Warning", "Unhealthy", `${kind} probe failed: ${message}`),
      onChange: verdicts[kind],
    });
    slot.stops.push(stop);
  }

  function stopWatching(slot: ContainerSlot): void {
    for (const stop of slot.stops.splice(0)) stop();
  }

  /** How long a program takes to stop after SIGTERM, ms. */
  function stopMs(slot: ContainerSlot): number {
    const graceMs: number =
      (pod.metadata.deletionGracePeriodSeconds ?? pod.spec.terminationGracePeriodSeconds ?? 30) * 1000;
    return Math.min(graceMs, images.isPause(slot.image) ? 50 : 300 + rng.int(900));
  }

  /** Stops a running container; what follows is up to the restart policy. */
  function kill(slot: ContainerSlot, why: string): void {
    if (slot.busy || !slot.runtime) return;
    const { runtime } = slot;
    host.event(slot, "Normal", "Killing", why);
    stopWatching(slot);
    slot.busy = true;
    slot.busyImage = slot.image;
    slot.epoch += 1;
    starter.later(slot, stopMs(slot), "kubelet.kill", () => {
      const exitCode = exitCodeOnTerm(runtime.behaviour, images.isPause(runtime.image));
      exited(slot, { exitCode, reason: exitCode === 0 ? "Completed" : "Error" });
    });
  }

  function exited(
    slot: ContainerSlot,
    end: { exitCode: number; reason: string; message?: string; neverRan?: boolean },
  ): void {
    stopWatching(slot);
    slot.epoch += 1;
    slot.busy = false;
    const now = loop.now();
    const { exitCode, reason, message } = end;
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
      sandbox?.containers.delete(slot.name);
      slot.runtime = undefined;
    }
    planStatus();
    if (terminating) {
      finishTermination();
      return;
    }
    const settleMs = end.neverRan ? 1000 + rng.int(2000) : 100 + rng.int(900);
    slot.settlesAt = now + settleMs;
    loop.after(settleMs, "kubelet.relist", planSync);
  }

  // --- end

  function beginTermination(): void {
    terminating = true;
    for (const slot of slots.values()) {
      stopWatching(slot);
      slot.epoch += 1;
      slot.busy = false;
      if (slot.runtime) kill(slot, `Stopping container ${slot.name}`);
    }
    finishTermination();
  }

  function finishTermination(): void {
    if ([...slots.values()].some((slot) => slot.runtime)) return;
    loop.after(100 + rng.int(200), "kubelet.remove", () => {
      if (gone) return;
      writeStatus();
      const stored = store.get(resources.pods, namespace, name);
      if (stored?.metadata.uid !== uid) return;
      store.delete(resources.pods, namespace, name, { gracePeriodSeconds: 0, preconditions: { uid } });
      removeSandbox();
    });
  }

  for (const spec of initContainersOf(pod)) slots.set(spec.name, createSlot(spec, true, "PodInitializing"));
  const waiting = initContainersOf(pod).length > 0 ? "PodInitializing" : "ContainerCreating";
  for (const spec of containersOf(pod)) slots.set(spec.name, createSlot(spec, false, waiting));
  planStatus();
  loop.after(250 + rng.int(500), "kubelet.sandbox", () => {
    if (!gone && !terminating) createSandbox();
  });

  return {
    update(changed) {
      pod = changed;
      if (sandbox) sandbox.labels = changed.metadata.labels ?? {};
      if (terminating) return;
      if (changed.metadata.deletionTimestamp !== undefined) {
        beginTermination();
        return;
      }
      if (phaseOf({ pod, slots }) === "Running" || phaseOf({ pod, slots }) === "Pending") planSync();
    },
    removed() {
      gone = true;
      for (const slot of slots.values()) {
        stopWatching(slot);
        slot.epoch += 1;
      }
      removeSandbox();
    },
    relist() {
      for (const slot of slots.values()) {
        if (slot.runtime?.oomKilled) exited(slot, { exitCode: 137, reason: "OOMKilled" });
      }
    },
    containerExited(runtime, exitCode) {
      const slot = slots.get(runtime.name);
      if (slot?.runtime !== runtime) return;
      exited(slot, { exitCode, reason: exitCode === 0 ? "Completed" : "Error" });
    },
  };
}
