import type { Rng } from "@microremed/core";
import type { ContainerRuntime, PodSandbox } from "@microremed/sim-machine";
import { isReady, type KubeObject, resources } from "@microremed/sim-objects";
import { createContainerLifecycle } from "./container-lifecycle.ts";
import { type ContainerSlot, createSlot } from "./container-slot.ts";
import { containersOf, ephemeralContainersOf, initContainersOf } from "./container-spec.ts";
import type { KubeletContext } from "./context.ts";
import { createPodResizer } from "./pod-resizer.ts";
import { isInitDone, phaseOf, podStatus } from "./pod-status.ts";
import { mountVolumes } from "./pod-volumes.ts";
import type { ResizeState } from "./resize-checks.ts";

/** One pod on its node, from the moment it is bound until it is gone. */
export interface PodWorker {
  readonly node: string;
  /** The stored pod changed. */
  update(pod: KubeObject): void;
  /** The stored pod is gone: nothing of it may be left. */
  removed(): void;
  /** Looks whether the kernel killed a container. */
  relist(): void;
  /** The node's power is gone: so is whatever ran of the pod. */
  powerLost(): void;
  /** The kubelet looks after the pod again. */
  resume(): void;
  /** A container's main process ended by somebody's signal. */
  containerExited(runtime: ContainerRuntime, exitCode: number): void;
}

interface Present {
  pod: KubeObject;
  sandbox: PodSandbox | undefined;
  gone: boolean;
  terminating: boolean;
  /** It ran longer than it may. */
  expired: boolean;
  statusPlanned: boolean;
  syncPlanned: boolean;
  /** How far the change of the containers' resources is. */
  resize: ResizeState | undefined;
}

const deadlineExceeded = {
  phase: "Failed",
  reason: "DeadlineExceeded",
  message: "Pod was active on the node longer than the specified deadline",
};

const statusDelayMs = 15;
/** How often the kubelet compares what is stored with what it knows, ms. */
const statusSyncMs = 10_000;
const mountRetryMs = 2000;

export function createPodWorker(ctx: KubeletContext, first: KubeObject, rng: Rng): PodWorker {
  const { store, loop, events, machine, images } = ctx;
  const { namespace = "", name, uid } = first.metadata;
  const node: string = first.spec.nodeName;
  const source = { component: "kubelet", host: node };
  const startTime = loop.now();
  const slots = loop.keep(new Map<string, ContainerSlot>());
  const now = loop.keep<Present>({
    pod: first,
    sandbox: undefined,
    gone: false,
    terminating: false,
    expired: false,
    statusPlanned: false,
    syncPlanned: false,
    resize: undefined,
  });

  const containers = createContainerLifecycle(
    ctx,
    {
      object: () => now.pod,
      sandbox: () => now.sandbox,
      changed: planStatus,
      sync: planSync,
      ended: () => {
        if (now.terminating) finishTermination();
      },
    },
    rng,
  );

  const awake = (): boolean => ctx.nodes.of(node) === "running";

  function planStatus(): void {
    if (now.statusPlanned || now.gone) return;
    now.statusPlanned = true;
    loop.after(statusDelayMs, "kubelet.status", writeStatus);
  }

  function writeStatus(): void {
    now.statusPlanned = false;
    if (now.gone || !awake()) return;
    const stored = store.get(resources.pods, namespace, name);
    if (stored?.metadata.uid !== uid) return;
    const podIp = now.sandbox?.ip;
    const hostIp = ctx.hostIp(node);
    const status = podStatus({
      pod: stored,
      slots,
      images,
      hostIp,
      podIp,
      startTime,
      now: loop.now(),
      resize: now.resize,
    });
    const shown = now.expired ? { ...status, ...deadlineExceeded } : status;
    store.update(resources.pods, { ...stored, status: shown }, { status: true });
  }

  function planSync(): void {
    if (now.syncPlanned || now.gone) return;
    now.syncPlanned = true;
    loop.after(2, "kubelet.sync", () => {
      now.syncPlanned = false;
      if (!now.gone && !now.terminating) sync();
    });
  }

  function createSandbox(): void {
    if (!awake()) return;
    const mounted = mountVolumes(ctx, now.pod);
    if ("error" in mounted) {
      events.record(source, now.pod, { type: "Warning", reason: "FailedMount", message: mounted.error });
      loop.after(mountRetryMs, "kubelet.mount", () => {
        if (!now.gone && !now.terminating) createSandbox();
      });
      return;
    }
    const hostNetwork = Boolean(now.pod.spec.hostNetwork);
    const { keep } = loop;
    now.sandbox = keep<PodSandbox>({
      namespace,
      name,
      uid,
      ip: hostNetwork ? ctx.hostIp(node) : ctx.ips.take(node),
      hostNetwork,
      nodeName: node,
      labels: now.pod.metadata.labels ?? {},
      containers: keep(new Map()),
      volumes: mounted.volumes,
      netem: keep([]),
      drops: keep([]),
    });
    machine.sandboxes.set(uid, now.sandbox);
    planStatus();
    sync();
  }

  function removeSandbox(): void {
    if (!now.sandbox) return;
    now.sandbox.containers.clear();
    machine.sandboxes.delete(uid);
    if (!now.sandbox.hostNetwork) ctx.ips.free(now.sandbox.ip);
    now.sandbox = undefined;
  }

  /** Takes containers one after the other to where the spec wants them. */
  function sync(): void {
    if (!now.sandbox || now.expired || !awake()) return;
    const begun = [...slots.values()].some(
      (slot) => !slot.init && !slot.ephemeral && (slot.state.type !== "waiting" || slot.last),
    );
    if (!begun) {
      for (const spec of initContainersOf(now.pod)) {
        const slot = slots.get(spec.name);
        if (!slot || isInitDone(slot)) continue;
        if (slot.state.type !== "running") containers.ensureStarted(slot, spec);
        return;
      }
    }
    for (const spec of containersOf(now.pod)) {
      const slot = slots.get(spec.name);
      if (slot) containers.sync(slot, spec);
    }
    resizer.sync();
    for (const spec of ephemeralContainersOf(now.pod)) {
      const known = slots.get(spec.name);
      const slot = known ?? createSlot(loop, spec, false, "ContainerCreating", true);
      slots.set(spec.name, slot);
      containers.sync(slot, spec);
      if (!known) planStatus();
    }
  }

  const resizer = createPodResizer(ctx, {
    object: () => now.pod,
    slots,
    state: () => now.resize,
    show(resize) {
      now.resize = resize;
      planStatus();
    },
    later: (ms) => loop.after(ms, "kubelet.resize", planSync),
    restart: (slot) => containers.kill(slot, `Container ${slot.name} resize requires restart`),
  });

  function expire(): void {
    if (now.gone || now.terminating) return;
    if (!awake()) {
      loop.after(statusSyncMs, "kubelet.deadline", expire);
      return;
    }
    now.expired = true;
    for (const slot of slots.values()) {
      containers.abandon(slot);
      if (slot.runtime) containers.kill(slot, `Stopping container ${slot.name}`);
    }
    planStatus();
  }

  const allowedSeconds: number | undefined = first.spec.activeDeadlineSeconds;
  if (allowedSeconds !== undefined) loop.after(allowedSeconds * 1000, "kubelet.deadline", expire);

  function beginTermination(): void {
    now.terminating = true;
    for (const slot of slots.values()) {
      containers.abandon(slot);
      if (slot.runtime) containers.kill(slot, `Stopping container ${slot.name}`);
    }
    finishTermination();
  }

  function finishTermination(): void {
    if ([...slots.values()].some((slot) => slot.runtime)) return;
    loop.after(100 + rng.int(200), "kubelet.remove", () => {
      if (now.gone || !awake()) return;
      writeStatus();
      const stored = store.get(resources.pods, namespace, name);
      if (stored?.metadata.uid !== uid) return;
      store.delete(resources.pods, namespace, name, { gracePeriodSeconds: 0, preconditions: { uid } });
      removeSandbox();
    });
  }

  for (const spec of initContainersOf(now.pod))
    slots.set(spec.name, createSlot(loop, spec, true, "PodInitializing"));
  const waiting = initContainersOf(now.pod).length > 0 ? "PodInitializing" : "ContainerCreating";
  for (const spec of containersOf(now.pod)) slots.set(spec.name, createSlot(loop, spec, false, waiting));
  planStatus();
  loop.after(250 + rng.int(500), "kubelet.sandbox", () => {
    if (!now.gone && !now.terminating) createSandbox();
  });

  return {
    node,
    update(changed) {
      const mine = [...slots.values()].every((slot) => slot.init || slot.ephemeral || slot.ready);
      // Somebody else wrote that the pod is not ready: the kubelet's next look puts it right.
      if (mine && isReady(now.pod) && !isReady(changed))
        loop.after(statusSyncMs, "kubelet.status", planStatus);
      const grace = now.pod.metadata.deletionGracePeriodSeconds;
      now.pod = changed;
      if (now.sandbox) now.sandbox.labels = changed.metadata.labels ?? {};
      if (!awake()) return;
      if (now.terminating) {
        const shorter = (changed.metadata.deletionGracePeriodSeconds ?? 0) < (grace ?? 0);
        if (shorter) for (const slot of slots.values()) containers.hurry(slot);
        return;
      }
      if (changed.metadata.deletionTimestamp !== undefined) {
        beginTermination();
        return;
      }
      const phase = phaseOf({ pod: now.pod, slots });
      if (phase === "Running" || phase === "Pending") planSync();
    },
    removed() {
      now.gone = true;
      for (const slot of slots.values()) containers.abandon(slot);
      removeSandbox();
    },
    powerLost() {
      for (const slot of slots.values())
        if (slot.runtime) containers.exited(slot, { exitCode: 255, reason: "Unknown" });
      removeSandbox();
    },
    resume() {
      if (now.terminating) finishTermination();
      else if (now.pod.metadata.deletionTimestamp !== undefined) beginTermination();
      else {
        planStatus();
        if (now.sandbox) planSync();
        else createSandbox();
      }
    },
    relist() {
      if (!awake()) return;
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
