import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { retryable, terminal } from "@microremed/core";
import { createMachine, type PodLink } from "@microremed/deploy";
import { makeOwnedDirectory, removeLeftBehind } from "@microremed/servers";
import { buildKubernetes } from "./build-kubernetes.ts";
import { buildPrograms } from "./build-programs.ts";
import { createControlGroup } from "./control-group.ts";
import { firstServiceAddress, securePort, startControlPlane } from "./control-plane.ts";
import type { StoredImage } from "./debian-image.ts";
import { enforcePolicies } from "./enforce-policies.ts";
import { keepKernelSettings } from "./kernel-settings.ts";
import { type Machine, startMachine } from "./machine.ts";
import { type NodeOptions, startNode } from "./node.ts";
import { type KubernetesVersion, pins } from "./pins.ts";
import { createPki } from "./pki.ts";
import { startRegistry } from "./registry.ts";

/** Which Kubernetes is started, how large, and with which images. */
export interface RealClusterOptions {
  readonly version: KubernetesVersion;
  /** How many nodes; the first one also runs the control plane. Default: 1. */
  readonly nodes?: number;
  /** Whether NetworkPolicies are enforced. Default: they are objects without effect, as with the plug-in `bridge` alone. */
  readonly enforcesPolicies?: boolean;
  /** What the nodes can pull; `pauseImage` is among them. */
  readonly images: readonly StoredImage[];
  readonly say: (line: string) => void;
}

/**
 * A Kubernetes cluster on this machine. Disposing ends all of it, and throws if one of its programs had ended before: what
 * happened on it is no measure then.
 */
export interface RealCluster extends AsyncDisposable {
  /** An administrator's. */
  readonly kubeconfig: string;
  readonly version: KubernetesVersion;
  /** Names of its nodes. */
  readonly nodes: readonly string[];
  /** The folder of its programs, and of the kubectl of its version. */
  readonly programs: string;
  /** Host and port of the registry of its images; it takes pushes without a password, over HTTP. */
  readonly registry: string;
  /** Where its nodes and pods find this machine: servers outside of the cluster may listen here. */
  readonly gateway: string;
  /** The address of its first node, where this machine finds the ports of its Services. */
  readonly address: string;
  /**
   * A computer of an operator, with a network of its own beside the nodes: its ports are free, whatever else runs on this machine.
   */
  attachComputer(): Promise<PodLink>;
  /** Which of its own programs have ended by themselves, how, and the ends of their logs. Undefined: all run. */
  endedDaemons(): Promise<string | undefined>;
}

/** Builds what is not built yet and starts a cluster. Takes root, Go, containerd, runc and the CNI plug-ins. */
export async function startRealCluster(options: RealClusterOptions): Promise<RealCluster> {
  const { version, images, say } = options;
  const programs = {
    kubernetes: await buildKubernetes(version, say),
    etcd: await buildPrograms({ name: "etcd", ...pins.etcd }, say),
  };
  await using started = new AsyncDisposableStack();
  await removeLeftBehind();
  const dir = await makeOwnedDirectory("real");
  started.defer(() => rm(dir, { recursive: true, force: true, maxRetries: 5 }));
  started.use(await keepKernelSettings());
  const { network } = started.use(await createMachine());
  // Else nodes would change the packet filter of this machine itself.
  if (!network.isolated)
    throw terminal("invalid-config", "machines get no networks of their own here: `ip link` does not work");
  const registry = started.use(await startRegistry(network.gateway, join(dir, "pushed")));
  for (const image of images) registry.add(image);
  const address = (index: number): string => network.address(0, index + 1);
  const server = `https://${address(0)}:${securePort}`;
  const names = ["kubernetes", "kubernetes.default", "kubernetes.default.svc", "localhost"];
  const pki = await createPki(join(dir, "pki"), server, [
    ...names,
    "kubernetes.default.svc.cluster.local",
    ...["127.0.0.1", firstServiceAddress, address(0)],
  ]);
  const places: Place[] = [];
  for (let index = 0; index < (options.nodes ?? 1); index++) {
    const name = `node-${index + 1}`;
    const own = join(dir, name);
    await mkdir(own);
    const controlGroup = `microremed-${address(index)}`;
    const group = started.use(await createControlGroup(controlGroup));
    const link = await network.attach(address(index));
    const machine = started.use(await startMachine(name, address(index), link, group, own));
    places.push({ machine, dir: own, podRange: podRange(index), controlGroup });
  }
  const machines = places.map(({ machine }) => machine);
  const endedDaemons = async (): Promise<string | undefined> => {
    const ended = await Promise.all(machines.map((machine) => machine.endedDaemons()));
    return ended.filter((text) => text !== undefined).join("\n") || undefined;
  };
  started.defer(async () => {
    const ended = await endedDaemons();
    if (ended !== undefined) throw retryable("internal", ended);
  });
  const [first] = places;
  if (first) await startControlPlane(first.machine, programs, pki, first.dir);
  say(places.length === 1 ? "a node starts" : `${places.length} nodes start`);
  const { kubernetes } = programs;
  await Promise.all(places.map((place) => startNode({ ...place, pki, kubernetes, registry: registry.url })));
  await addRoutes(machines);
  const kubeconfig = pki.kubeconfig("admin");
  if (options.enforcesPolicies) started.use(await enforcePolicies({ kubeconfig, machines, dir, say }));
  let computers = 0;
  const owned = started.move();
  return {
    kubeconfig,
    version,
    nodes: machines.map(({ name }) => name),
    programs: programs.kubernetes,
    registry: new URL(registry.url).host,
    gateway: network.gateway,
    address: address(0),
    attachComputer: async () => {
      computers += 1;
      return network.attach(network.address(computerSite, computers));
    },
    endedDaemons,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** What a node has of its own. */
type Place = Pick<NodeOptions, "machine" | "dir" | "podRange" | "controlGroup">;

/** Nodes are in the first one. */
const computerSite = 1;
/** Of the pods of one node, within `podRanges`. */
const podRange = (index: number): string => `10.244.${index + 1}.0/24`;

/** Every node sends packets for another one's pods there. */
async function addRoutes(machines: readonly Machine[]): Promise<void> {
  for (const machine of machines)
    for (const [index, { address }] of machines.entries())
      if (address !== machine.address)
        await machine.run(["ip", "route", "add", podRange(index), "via", address]);
}
