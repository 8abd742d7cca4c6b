import { createRng, silentLogger } from "@microremed/core";
import { type AdmissionRequest, definitionsRef } from "@microremed/sim-kinds";
import type { ContainerRuntime, Machine, PodSandbox } from "@microremed/sim-machine";
import type { KubeObject } from "@microremed/sim-objects";
import { createStore, type Store } from "@microremed/sim-store";
import { createEventLoop, type PumpedEventLoop } from "@microremed/sim-time";
import { chaosResources } from "../admission/chaos-resources.ts";
import { type ChaosMesh, createChaosMesh } from "../chaos-mesh.ts";
import { chaosRef, podsRef } from "../model/refs.ts";

/** A Chaos Mesh over a real store and loop, with pods that tests place by hand. For tests. */
export interface ChaosWorld {
  readonly store: Store;
  readonly loop: PumpedEventLoop;
  readonly machine: Machine;
  readonly chaos: ChaosMesh;
  readonly killed: string[];
  /** A pod with one running container of the pod's name, or a Pending one. */
  addPod(
    name: string,
    options?: { readonly pending?: boolean; readonly image?: string },
  ): PodSandbox | undefined;
  removePod(name: string): void;
  /** What the kubelet does after a container died: a fresh one in the same sandbox. */
  restartContainer(pod: string): ContainerRuntime;
  /** Passes admission and is stored. */
  create(plural: string, name: string, spec: object): KubeObject;
  get(plural: string, name: string): KubeObject;
  find(plural: string, name: string): KubeObject | undefined;
  annotate(plural: string, name: string, annotations: Record<string, string>): void;
  /** Names of the conditions that are True. */
  holds(plural: string, name: string): readonly string[];
  events(
    name: string,
  ): readonly { readonly type: string; readonly reason: string; readonly message: string }[];
}

const namespace = "shop";
const user = { name: "kubernetes-admin", uid: "", groups: ["system:masters"] };

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
    files: new Map(),
    ioFaults: [],
    httpFaults: [],
    logs: [],
    oomKilled: false,
  };
}

export function createChaosWorld(): ChaosWorld {
  const loop = createEventLoop({
    startAt: Date.parse("2026-01-01T00:00:00Z"),
    timeScale: 1,
    log: silentLogger,
  });
  const rng = createRng(1);
  const store = createStore({ now: () => loop.now(), rng: rng.fork("store") });
  for (const { installed } of chaosResources)
    if (installed) store.create(definitionsRef, installed.definition);
  const sandboxes = new Map<string, PodSandbox>();
  const machine: Machine = {
    sandboxes,
    byIp: (ip) => [...sandboxes.values()].find((sandbox) => sandbox.ip === ip),
    byPod: (ns, name) =>
      [...sandboxes.values()].find((sandbox) => sandbox.namespace === ns && sandbox.name === name),
  };
  const killed: string[] = [];
  const chaos = createChaosMesh({
    store,
    loop,
    machine,
    rng: rng.fork("chaos"),
    killContainer: (sandbox, container, code) => killed.push(`${sandbox.name}/${container.name} ${code}`),
    resolve: () => [],
  });
  let pods = 0;

  const world: ChaosWorld = {
    store,
    loop,
    machine,
    chaos,
    killed,
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
        hostNetwork: false,
        nodeName: "node-1",
        labels: { app: name },
        containers: new Map([[name, aContainer(name, loop.now())]]),
        volumes: new Map([["data", new Map()]]),
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
    create(plural, name, spec) {
      const kind = plural;
      const request = (object: AdmissionRequest["object"]): AdmissionRequest => ({
        operation: "CREATE",
        object,
        old: undefined,
        user,
        namespace,
        group: "chaos-mesh.org",
        resource: plural,
      });
      const object = { apiVersion: "chaos-mesh.org/v1alpha1", kind, metadata: { name, namespace }, spec };
      const mutated = chaos.admission.mutate?.(request(object)) ?? object;
      chaos.admission.validate?.(request(mutated));
      return store.create(chaosRef(plural), mutated);
    },
    find: (plural, name) => store.get(chaosRef(plural), namespace, name),
    get(plural, name) {
      const object = world.find(plural, name);
      if (!object) throw new Error(`${plural} ${name} is gone`);
      return object;
    },
    annotate(plural, name, annotations) {
      store.mutate(chaosRef(plural), namespace, name, (object) => ({
        ...object,
        metadata: { ...object.metadata, annotations },
      }));
    },
    holds: (plural, name) =>
      (world.get(plural, name).status?.conditions ?? [])
        .filter((condition: { status: string }) => condition.status === "True")
        .map((condition: { type: string }) => condition.type),
    events: (name) =>
      store
        .list({ group: "", resource: "events" })
        .filter((event) => (event["involvedObject"] as { name: string }).name === name)
        .map((event) => ({
          type: String(event["type"]),
          reason: String(event["reason"]),
          message: String(event["message"]),
        })),
  };
  return world;
}
