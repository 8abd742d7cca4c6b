import { type ContainerRuntime, FileTree, type Machine, type PodSandbox } from "@microremed/sim-machine";
import type { Store } from "@microremed/sim-store";
import type { EventLoop } from "@microremed/sim-time";
import { chaosRef, podsRef } from "../model/refs.ts";

export const namespace = "shop";

/** Pods that a test places by hand: in the store, and on a machine without a kubelet. */
export interface TestPods {
  readonly machine: Machine;
  /** A pod with one running container of the pod's name, or a Pending one. */
  addPod(
    name: string,
    options?: { readonly pending?: boolean; readonly image?: string },
  ): PodSandbox | undefined;
  removePod(name: string): void;
  /** What the kubelet does after a container died: a fresh one in the same sandbox. */
  restartContainer(pod: string): ContainerRuntime;
}

let containers = 0;

function aContainer(name: string, startedAt: number): ContainerRuntime {
  containers += 1;
  return {
    id: String(containers).padStart(64, "c"),
    name,
    image: `example/${name}:1`,
    init: false,
    command: ["/app/server"],
    env: {},
    behaviour: {
      runtime: "go",
      startupCpuSeconds: 0,
      idleCpuMillicores: 1,
      cpuMillisPerRequest: 1,
      memoryMi: 20,
      memoryMiPerConcurrentRequest: 0,
      listens: [8080],
      paths: [],
      writesPerRequest: {},
      concurrency: 64,
      tools: ["busybox"],
      shell: "sh",
    },
    cpuRequest: 0.1,
    cpuLimit: 0.5,
    memoryRequest: 64 << 20,
    memoryLimit: 512 << 20,
    startedAt,
    startupLeft: 0,
    processes: [
      {
        pid: 1,
        command: "/app/server",
        kind: "main",
        user: "root",
        startedAt,
        cpuDemand: 0,
        memoryBytes: 20 << 20,
      },
    ],
    usage: {
      cpu: 0,
      cpuTotal: 0,
      throttled: 0,
      throttledSecondsTotal: 0,
      periodsTotal: 0,
      throttledPeriodsTotal: 0,
      memory: 20 << 20,
    },
    mounts: new Map([["/data", "data"]]),
    files: new FileTree(),
    ioFaults: [],
    httpFaults: [],
    logs: [],
    oomKilled: false,
  };
}

export function createTestPods(store: Store, loop: Pick<EventLoop, "now">): TestPods {
  const sandboxes = new Map<string, PodSandbox>();
  const machine: Machine = {
    sandboxes,
    onHost: () => [],
    byIp: (ip) => [...sandboxes.values()].find((sandbox) => sandbox.ip === ip),
    byPod: (ns, name) =>
      [...sandboxes.values()].find((sandbox) => sandbox.namespace === ns && sandbox.name === name),
  };
  let pods = 0;

  return {
    machine,
    addPod(name, { pending = false, image = `example/${name}:1` } = {}) {
      pods += 1;
      const ip = `10.42.0.${pods}`;
      const pod = store.create(podsRef, {
        apiVersion: "v1",
        kind: "Pod",
        metadata: { name, namespace, labels: { app: name.replace(/-\d+$/, "") } },
        spec: { nodeName: pending ? "" : "node-1", containers: [{ name, image }] },
        status: { phase: pending ? "Pending" : "Running", ...(!pending && { podIP: ip }) },
      });
      if (pending) return undefined;
      const sandbox: PodSandbox = {
        namespace,
        name,
        uid: pod.metadata.uid,
        ip,
        hostname: name,
        hostNetwork: false,
        nodeName: "node-1",
        labels: { app: name },
        containers: new Map([[name, aContainer(name, loop.now())]]),
        volumes: new Map([["data", new FileTree()]]),
        netem: [],
        drops: [],
      };
      sandboxes.set(sandbox.uid, sandbox);
      return sandbox;
    },
    removePod(name) {
      const pod = store.delete(podsRef, namespace, name, { gracePeriodSeconds: 0 });
      sandboxes.delete(pod.metadata.uid);
      // What the garbage collector does with the pod's children.
      for (const child of ["podnetworkchaos", "podiochaos", "podhttpchaos"])
        if (store.get(chaosRef(child), namespace, name)) store.delete(chaosRef(child), namespace, name);
    },
    restartContainer(pod) {
      const fresh = aContainer(pod, loop.now());
      machine.byPod(namespace, pod)?.containers.set(pod, fresh);
      return fresh;
    },
  };
}
