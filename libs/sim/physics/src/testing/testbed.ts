import { createRng, silentLogger } from "@microremed/core";
import type { ContainerSpec, Environment, VolumeSpec } from "@microremed/environments";
import { parseQuantity } from "@microremed/kube-rules";
import {
  type ContainerRuntime,
  createMachine,
  FileTree,
  type Machine,
  type Network,
  type PodSandbox,
  type Process,
} from "@microremed/sim-machine";
import type { NetworkPolicies, ServiceDirectory, ServiceView } from "@microremed/sim-network";
import { createEventLoop } from "@microremed/sim-time";
import { createNetwork } from "../create-network.ts";
import { createPhysics, type Physics } from "../create-physics.ts";
import type { LoadProfile } from "../load-profile.ts";
import { createPrograms } from "../programs.ts";

/** For tests: an environment's pods on a machine with physics, but without API server and kubelet. */
export interface Testbed extends Disposable {
  readonly machine: Machine;
  readonly physics: Physics;
  readonly network: Network;
  /** The first pod of a workload, and its first container or the one named. */
  pod(workload: string, ordinal?: number): PodSandbox;
  container(workload: string, name?: string): ContainerRuntime;
  /** A fresh container in place of the running one, as after a restart; `change` sets what differs. */
  restart(workload: string, change?: Partial<ContainerRuntime>): ContainerRuntime;
  /** Pods of these workloads are in no endpoints. */
  readonly notReady: Set<string>;
  readonly labels: string[];
  run(seconds: number): void;
  /** `count` processes that each want a core, as stress-ng's workers do. */
  stressCpu(container: ContainerRuntime, count: number): void;
  stressMemory(container: ContainerRuntime, mebibytes: number): void;
}

export const namespace = "arena";

/** What of a testbed is not as usual. */
interface TestbedOptions {
  readonly nodeCores?: number;
  /** How the load varies, by the cluster's time in ms; default: not at all. */
  readonly profile?: LoadProfile;
}

export function createTestbed(environment: Environment, options: TestbedOptions = {}): Testbed {
  const loop = createEventLoop({ startAt: 0, timeScale: 1, log: silentLogger });
  const machine = createMachine(loop);
  const notReady = new Set<string>();
  const labels: string[] = [];
  const specs = new Map<string, readonly ContainerSpec[]>();
  let address = 0;
  for (const [name, workload] of Object.entries(environment.workloads)) {
    specs.set(name, workload.containers);
    for (let ordinal = 0; ordinal < workload.replicas; ordinal++) {
      const sandbox = sandboxOf(
        `${name}-${ordinal}`,
        workload.labels,
        `10.0.${address >> 8}.${address++ & 255}`,
      );
      for (const spec of workload.containers) {
        sandbox.containers.set(spec.name, containerOf(spec, loop.now(), environment));
        for (const volume of Object.values(spec.volumeMounts))
          if (!sandbox.volumes.has(volume))
            sandbox.volumes.set(volume, volumeOf(workload.volumes[volume], environment));
      }
      machine.sandboxes.set(sandbox.uid, sandbox);
    }
  }
  const directory = directoryOf(environment, machine, notReady);
  const programs = createPrograms([environment]);
  const policies: NetworkPolicies = { revision: 0, admits: () => true, admitsDns: () => true };
  const physics = createPhysics({
    ...(options.profile && { profile: options.profile }),
    machine,
    loop,
    directory,
    programs,
    policies,
    nodeCores: () => options.nodeCores ?? 64,
    labelPod: (_, name, { role }) => labels.push(`${name}=${role}`),
  });
  const network = createNetwork({
    machine,
    directory,
    programs,
    policies,
    states: physics.states,
    rng: createRng(1),
  });
  const pod = (workload: string, ordinal = 0): PodSandbox => {
    const sandbox = machine.byPod(namespace, `${workload}-${ordinal}`);
    if (!sandbox) throw new Error(`no pod of ${workload}`);
    return sandbox;
  };
  const container = (workload: string, name = specs.get(workload)?.[0]?.name ?? ""): ContainerRuntime => {
    const found = pod(workload).containers.get(name);
    if (!found) throw new Error(`no container ${name} in ${workload}`);
    return found;
  };
  const add = (to: ContainerRuntime, process: Pick<Process, "kind" | "cpuDemand" | "memoryBytes">): void => {
    const pid = 100 + to.processes.length;
    to.processes.push({ ...process, pid, command: "stress", user: "root", startedAt: loop.now() });
  };
  return {
    machine,
    physics,
    network,
    pod,
    container,
    notReady,
    labels,
    restart: (workload, change = {}) => {
      const old = container(workload);
      const fresh = {
        ...old,
        processes: old.processes.filter(({ kind }) => kind === "main"),
        usage: {
          cpu: 0,
          cpuTotal: 0,
          throttled: 0,
          throttledSecondsTotal: 0,
          periodsTotal: 0,
          throttledPeriodsTotal: 0,
          memory: 0,
        },
        startedAt: loop.now(),
        startupLeft: old.behaviour?.startupCpuSeconds ?? 0,
        oomKilled: false,
        ...change,
      };
      pod(workload).containers.set(old.name, fresh);
      return fresh;
    },
    run: (seconds) => loop.advance(1000 * seconds),
    stressCpu: (to, count) => {
      for (let task = 0; task < count; task++)
        add(to, { kind: "cpu-stressor", cpuDemand: 1, memoryBytes: 0 });
    },
    stressMemory: (to, mebibytes) =>
      add(to, { kind: "memory-stressor", cpuDemand: 0, memoryBytes: mebibytes * 2 ** 20 }),
    [Symbol.dispose]: () => {
      physics[Symbol.dispose]();
      loop[Symbol.dispose]();
    },
  };
}

function sandboxOf(name: string, labels: PodSandbox["labels"], ip: string): PodSandbox {
  return {
    namespace,
    name,
    uid: name,
    ip,
    hostname: name,
    hostNetwork: false,
    nodeName: "node-1",
    labels,
    containers: new Map(),
    volumes: new Map(),
    netem: [],
    drops: [],
  };
}

/** A volume with what a ConfigMap has in it, else an empty one. */
function volumeOf(spec: VolumeSpec | undefined, { configMaps }: Environment): FileTree {
  const files = spec?.type === "configMap" ? Object.entries(configMaps[spec.name] ?? {}) : [];
  const tree = new FileTree();
  for (const [name, text] of files) tree.set(`/${name}`, new TextEncoder().encode(text));
  return tree;
}

/** Its variables as a kubelet fills them in; what depends on the pod is left out. */
function variablesOf({ env, envFrom }: ContainerSpec, { secrets, configMaps }: Environment) {
  const found: Record<string, string> = {};
  for (const from of envFrom)
    Object.assign(found, "secret" in from ? secrets[from.secret] : configMaps[from.configMap]);
  for (const [name, value] of Object.entries(env)) {
    if (typeof value === "string") found[name] = value;
    else if ("secretKeyRef" in value)
      found[name] = secrets[value.secretKeyRef.name]?.[value.secretKeyRef.key] ?? "";
  }
  return found;
}

function containerOf(spec: ContainerSpec, now: number, environment: Environment): ContainerRuntime {
  const { requests, limits } = spec.resources;
  return {
    id: spec.name,
    name: spec.name,
    image: spec.image,
    init: false,
    command: [...(spec.command ?? []), ...(spec.args ?? [])],
    env: variablesOf(spec, environment),
    behaviour: spec.behaviour,
    cpuRequest: parseQuantity(requests.cpu) ?? 0,
    cpuLimit: parseQuantity(limits.cpu),
    memoryRequest: parseQuantity(requests.memory) ?? 0,
    memoryLimit: parseQuantity(limits.memory),
    startedAt: now,
    startupLeft: spec.behaviour.startupCpuSeconds,
    processes: [
      { pid: 1, command: "main", kind: "main", user: "root", startedAt: now, cpuDemand: 0, memoryBytes: 0 },
    ],
    usage: {
      cpu: 0,
      cpuTotal: 0,
      throttled: 0,
      throttledSecondsTotal: 0,
      periodsTotal: 0,
      throttledPeriodsTotal: 0,
      memory: 0,
    },
    mounts: new Map(Object.entries(spec.volumeMounts)),
    files: new FileTree(),
    ioFaults: [],
    httpFaults: [],
    logs: [],
    oomKilled: false,
    // As the system's configuration has it, which a kubelet would mount.
    ...(spec.behaviour.runtime === "mysql" && {
      datastore: { type: "mysql", variables: { max_connections: "65535" } },
    }),
  };
}

function directoryOf(
  environment: Environment,
  machine: Machine,
  notReady: ReadonlySet<string>,
): ServiceDirectory {
  const names = Object.keys(environment.services);
  // A role is a label that programs give their pods while they run; here every replica has it.
  const byName = (inNamespace: string, name: string): ServiceView | undefined => {
    const service = inNamespace === namespace ? environment.services[name] : undefined;
    if (!service) return undefined;
    const pods = [...machine.sandboxes.values()].filter(
      ({ labels, name }) =>
        !notReady.has(name.replace(/-\d+$/, "")) &&
        Object.entries(service.selector).every(([key, value]) => key === "role" || labels[key] === value),
    );
    const ports = service.ports.map(({ port, targetPort, name: portName }) => ({
      name: portName,
      port,
      endpoints: pods.map(({ ip, name: hostname }) => ({
        ip,
        hostname,
        port: typeof targetPort === "number" ? targetPort : 3306,
      })),
    }));
    const clusterIp = service.headless ? undefined : `172.20.0.${names.indexOf(name)}`;
    return { namespace, name, clusterIp, isLocal: false, ports };
  };
  return {
    get revision() {
      return notReady.size;
    },
    byName,
    hasNameServer: true,
    byClusterIp: (ip) => {
      const name = names[Number(ip.split(".")[3])];
      return ip.startsWith("172.20.0.") && name ? byName(namespace, name) : undefined;
    },
  };
}
