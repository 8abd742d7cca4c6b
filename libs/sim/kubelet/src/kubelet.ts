import { type ContainerRuntime, nodeSpecs, type PodSandbox } from "@microremed/sim-machine";
import { type KubeObject, resources } from "@microremed/sim-objects";
import type { KubeletContext } from "./context.ts";
import { isRefusedUnderPressure, startEviction } from "./eviction.ts";
import { startHeartbeats } from "./heartbeat.ts";
import { createNodePressures } from "./node-pressures.ts";
import type { NodeState, NodeStates } from "./node-states.ts";
import { capacityOf } from "./pod-volumes.ts";
import { createPodWorker, type PodWorker } from "./pod-worker.ts";
import { refreshMs } from "./refresh-volumes.ts";

/** The kubelets of all nodes. */
export interface Kubelet {
  /** Ends a container's main process from inside, as a signal does; the pod's restart policy decides what follows. */
  killContainer(sandbox: PodSandbox, container: ContainerRuntime, exitCode: number): void;
  /** The machines: a kubelet can be stopped and started, a node switched off and on. */
  readonly nodes: NodeStates;
}

/** How often the kubelet checks its containers (the PLEG's relist), ms. */
const relistMs = 1000;

const machines = new Set(nodeSpecs.map(({ name }) => name));

/** Runs every pod that is bound to a node of the cluster, and reports its status. */
export function startKubelet(ctx: KubeletContext): Kubelet {
  const { store, loop } = ctx;
  const workers = loop.keep(new Map<string, PodWorker>());
  const pressures = createNodePressures(loop);
  /** Pods that were removed while their kubelet was stopped, by node: their containers still run. */
  const left = loop.keep(new Map<string, PodWorker[]>());

  function refuse(pod: KubeObject): void {
    const [reason, message] = ["Evicted", "The node had condition: [MemoryPressure]. "];
    const source = { component: "kubelet", host: pod.spec.nodeName };
    const status = { ...pod.status, phase: "Failed", reason, message: `Pod was rejected: ${message}` };
    store.update(resources.pods, { ...pod, status }, { status: true });
    ctx.events.record(source, pod, { type: "Warning", reason, message });
  }

  function follow(pod: KubeObject): void {
    const { uid } = pod.metadata;
    if (!machines.has(pod.spec?.nodeName)) return;
    const worker = workers.get(uid);
    if (worker) {
      worker.update(pod);
      return;
    }
    if (pod.status?.phase === "Succeeded" || pod.status?.phase === "Failed") return;
    if (pressures.of(pod.spec.nodeName) && isRefusedUnderPressure(pod)) {
      refuse(pod);
      return;
    }
    const created = createPodWorker(
      ctx,
      pod,
      ctx.rng.fork(`pod/${pod.metadata.namespace}/${pod.metadata.name}`),
    );
    workers.set(uid, created);
    if (pod.metadata.deletionTimestamp !== undefined) created.update(pod);
  }

  store.watch(resources.pods, (event) => {
    if (event.type !== "DELETED") return follow(event.object);
    const { uid } = event.object.metadata;
    const worker = workers.get(uid);
    workers.delete(uid);
    if (!worker) return;
    const node: string = event.object.spec.nodeName;
    if (ctx.nodes.of(node) === "running") worker.removed();
    else left.set(node, [...(left.get(node) ?? []), worker]);
  });
  store.watch(resources.persistentVolumes, ({ type, object }) => {
    const { metadata, spec } = object;
    const files = ctx.volumes.get(metadata.name);
    if (files) files.capacity = capacityOf(object);
    // What a provisioner made, it removes; the files of any other volume stay on their node.
    if (type === "DELETED" && spec?.persistentVolumeReclaimPolicy === "Delete")
      ctx.volumes.delete(metadata.name);
  });
  store.watch(resources.configMaps, ({ type, object: { metadata } }) => {
    if (type !== "MODIFIED") return;
    const some = [...workers.values()].filter((worker) => worker.follows(metadata));
    if (some.length === 0) return;
    loop.after(refreshMs, "kubelet.volumes", () => {
      for (const worker of some) worker.refresh(metadata.name);
    });
  });
  const heartbeats = startHeartbeats({ ...ctx, pressures });
  startEviction(ctx, {
    pressures,
    workersOn: (node) => [...workers.values()].filter((worker) => worker.node === node),
    report: heartbeats.beat,
  });

  function setNode(node: string, state: NodeState): void {
    const before = ctx.nodes.of(node);
    ctx.nodes.set(node, state);
    if (state === before) return;
    const gone = left.get(node) ?? [];
    const own = [...workers.values(), ...gone].filter((worker) => worker.node === node);
    if (state === "off") for (const worker of own) worker.powerLost();
    if (state !== "running") return;
    left.delete(node);
    for (const worker of gone) worker.removed();
    for (const worker of own) if (!gone.includes(worker)) worker.resume();
    heartbeats.beat(node);
  }
  loop.every(relistMs, "kubelet.pleg", () => {
    for (const worker of workers.values()) worker.relist();
  });

  return {
    nodes: { of: ctx.nodes.of, set: setNode },
    killContainer(sandbox, container, exitCode) {
      workers.get(sandbox.uid)?.containerExited(container, exitCode);
    },
  };
}
