import type { Rng } from "@microremed/core";
import type { ContainerRuntime, PodSandbox } from "../machine.ts";
import type { KubeObject } from "../objects.ts";
import { resources } from "../resources.ts";
import { createContainerLifecycle } from "./container-lifecycle.ts";
import { type ContainerSlot, createSlot } from "./container-slot.ts";
import { containersOf, initContainersOf } from "./container-spec.ts";
import type { KubeletContext } from "./context.ts";
import { isInitDone, phaseOf, podStatus } from "./pod-status.ts";
import { mountVolumes } from "./pod-volumes.ts";

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

export function createPodWorker(ctx: KubeletContext, first: KubeObject, rng: Rng): PodWorker {
  const { store, loop, events, machine, images } = ctx;
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

  const containers = createContainerLifecycle(
    ctx,
    {
      object: () => pod,
      sandbox: () => sandbox,
      changed: planStatus,
      sync: planSync,
      ended: () => {
        if (terminating) finishTermination();
      },
    },
    rng,
  );

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
        if (slot.state.type !== "running") containers.ensureStarted(slot, spec);
        return;
      }
    }
    for (const spec of containersOf(pod)) {
      const slot = slots.get(spec.name);
      if (slot) containers.sync(slot, spec);
    }
  }

  function beginTermination(): void {
    terminating = true;
    for (const slot of slots.values()) {
      containers.abandon(slot);
      if (slot.runtime) containers.kill(slot, `Stopping container ${slot.name}`);
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
      const phase = phaseOf({ pod, slots });
      if (phase === "Running" || phase === "Pending") planSync();
    },
    removed() {
      gone = true;
      for (const slot of slots.values()) containers.abandon(slot);
      removeSandbox();
    },
    relist() {
      for (const slot of slots.values()) {
        if (slot.runtime?.oomKilled) containers.exited(slot, { exitCode: 137, reason: "OOMKilled" });
      }
    },
    containerExited(runtime, exitCode) {
      const slot = slots.get(runtime.name);
      if (slot?.runtime !== runtime) return;
      containers.exited(slot, { exitCode, reason: exitCode === 0 ? "Completed" : "Error" });
    },
  };
}
