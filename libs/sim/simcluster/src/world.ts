import { type Logger, type Rng, silentLogger } from "@microremed/core";
import { type Environment, withLoadGenerator } from "@microremed/environments";
import {
  createAuthorizer,
  createPodTokens,
  createServiceAccountTokens,
  createTokenKeys,
  type ServiceAccountTokens,
} from "@microremed/sim-apiserver";
import { type ChaosMesh, createChaosMesh } from "@microremed/sim-chaos-mesh";
import { createManagedStore } from "@microremed/sim-component-base";
import { type AdmissionHook, webhookAdmission } from "@microremed/sim-kinds";
import { createRunCommand, startStaticPods } from "@microremed/sim-kubelet";
import {
  availableMemory,
  createMachine,
  type Exec,
  type ExecRequest,
  type Logs,
  type Machine,
  type Network,
  nodeSpecs,
  type PodSandbox,
  type ProxyBackend,
} from "@microremed/sim-machine";
import {
  createNetworkPolicies,
  createServiceDirectory,
  type ServiceDirectory,
} from "@microremed/sim-network";
import type { KubeObject, MetricsProvider, NewObject } from "@microremed/sim-objects";
import {
  createLoadProfile,
  createNetwork,
  createPhysics,
  createPrograms,
  type Physics,
  type Programs,
} from "@microremed/sim-physics";
import { createComputingTracker, createExec, createMainScripts } from "@microremed/sim-shell";
import { createStore, type Store } from "@microremed/sim-store";
import {
  createLogBook,
  createRequestMetrics,
  createTraceRecorder,
  type RequestMetrics,
  startLogWriter,
  startMetricsHistory,
  startMetricsServer,
} from "@microremed/sim-telemetry";
import { createEventLoop, type PumpedEventLoop } from "@microremed/sim-time";
import { applyObject } from "./apply-object.ts";
import { createChance } from "./chance.ts";
import { type ControlPlane, startControlPlane } from "./control-plane/control-plane.ts";
import { staticPods } from "./control-plane/system/static-pods.ts";
import { systemObjects } from "./control-plane/system/system-objects.ts";
import { harnessNamespace } from "./harness-namespace.ts";
import { createPodLabeller } from "./label-pod.ts";
import { createLoadOrders } from "./load-orders.ts";
import { createMoments, type Snapshot } from "./moments.ts";
import { createPodApi } from "./pod-api.ts";
import { createProxy } from "./proxy.ts";
import { storedResources } from "./served-kinds.ts";
import { createCallWebhook } from "./webhooks/call-webhook.ts";

/** What the inside of a cluster is made of. */
export interface WorldOptions {
  readonly seed: number | string;
  readonly environments: readonly Environment[];
  /** Nodes can pull any image of repositories that no environment has; default: only common public ones. */
  readonly otherImages?: boolean;
  /** Cluster seconds per wall second while a client holds the clock; default 1. */
  readonly timeScale?: number;
  /** Cluster time at the start, ms since the epoch; the default is always the same. */
  readonly startAt?: number;
  readonly log?: Logger;
  /**
   * Whether it also runs the pods that every cluster has of its own: name server, kube-proxy, control plane and so on.
   * Without them names are resolved by themselves.
   */
  readonly ownPods?: boolean;
  /** How often the history of metrics measures every pod, ms of cluster time; default 5 s. It keeps an hour. */
  readonly metricsEveryMs?: number | undefined;
  readonly caPem?: () => string;
}

/** A whole simulated cluster without its HTTP server. */
export interface World extends ControlPlane, Disposable {
  readonly loop: PumpedEventLoop;
  readonly store: Store;
  readonly tokens: ServiceAccountTokens;
  readonly machine: Machine;
  readonly network: Network;
  readonly physics: Physics;
  readonly programs: Programs;
  readonly directory: ServiceDirectory;
  readonly chaos: ChaosMesh;
  /** The webhooks of configurations that clients make. */
  readonly webhooks: AdmissionHook;
  readonly exec: Exec;
  /** Whether a command in a container computes, instead of waiting for the time to go on. */
  readonly isComputing: () => boolean;
  /** Resolves when what computes in another thread has gone on; undefined: nothing computes there. */
  readonly elsewhere: () => Promise<void> | undefined;
  readonly logs: Logs;
  readonly metrics: MetricsProvider;
  readonly proxy: ProxyBackend;
  readonly requests: RequestMetrics;
  /** Creates or replaces an object as `kubectl apply` would, past the API server. For tests. */
  apply(object: NewObject & { readonly apiVersion: string; readonly kind: string }): KubeObject;
  /**
   * The whole cluster as it is now: objects, machine, time, everything planned, random numbers. Takes milliseconds;
   * objects are shared with the running cluster.
   */
  snapshot(): Snapshot;
  /**
   * Goes back to a snapshot of this cluster, any number of times: the same actions then make the same world again.
   * Only what goes on outside the event loop cannot go back: scripts and exec sessions that ran at the time of the
   * snapshot are killed (137), sleepers are woken with an error, watches end with 410. With a `salt` everything random
   * is drawn again from then on, as seed and salt decide.
   */
  restore(snapshot: Snapshot, salt?: string): void;
}

const gibibyte = 1024 ** 3;
const nodeOf = (name: string) => nodeSpecs.find((spec) => spec.name === name);
function sizeOf(name: string): { readonly cores: number; readonly memory: number } | undefined {
  const spec = nodeOf(name);
  return spec && { cores: spec.cores, memory: spec.memoryGi * gibibyte };
}
const memoryOfNodes = (machine: Machine) => ({
  nodeMemory: (name: string): number => sizeOf(name)?.memory ?? gibibyte,
  availableMemory: (name: string): number => availableMemory(machine, name),
});
const measures = ({ namespace }: PodSandbox): boolean => namespace === harnessNamespace;
const defaultStart = Date.parse("2026-01-01T00:00:00Z");

type Inner = Pick<World, "store" | "loop" | "machine" | "network"> & { readonly rng: Rng };

/** Chaos Mesh with its own account, which asks whether a user may make what an experiment reaches. */
function startChaosMesh(
  { store, loop, machine, rng, network }: Inner,
  killContainer: World["kubelet"]["killContainer"],
): ChaosMesh {
  const authorizer = createAuthorizer(store);
  return createChaosMesh({
    store: createManagedStore(store, "chaos-controller-manager", loop.now),
    loop,
    machine,
    rng: rng.fork("chaos"),
    killContainer,
    resolve: (host) => network.resolve("node", host),
    mayCreate: (user, namespace, resource) =>
      authorizer.authorize(user, { verb: "create", group: "chaos-mesh.org", resource, namespace }) !==
      undefined,
  });
}

/** What measures the cluster, in the order in which it has always drawn and watched. */
function startTelemetry(
  stack: DisposableStack,
  {
    store,
    loop,
    rng,
    machine,
    physics,
  }: Pick<World, "store" | "loop" | "machine" | "physics"> & { rng: Rng },
  sampleMs: number | undefined,
) {
  const requests = stack.use(createRequestMetrics({ loop, machine, physics }));
  const traces = stack.use(createTraceRecorder({ loop, rng: rng.fork("traces"), physics }));
  const metrics = stack.use(startMetricsServer({ store, loop, machine }));
  const history = stack.use(startMetricsHistory({ loop, machine, physics, sampleMs }));
  return { requests, traces, metrics, history };
}

/** Systems as they may be deployed: with a load generator, or without one, which is what their own programs know of. */
function withGenerators(environments: readonly Environment[]): readonly Environment[] {
  return [...new Set([...environments.map(withLoadGenerator), ...environments])];
}

/**
 * Puts a cluster together. Its time does not advance until `loop.start()` or `loop.advance(ms)`; stepped by hand, the
 * same seed and the same actions make the same world.
 */
export function createWorld(options: WorldOptions): World {
  const { seed, timeScale = 1, startAt = defaultStart, log = silentLogger, otherImages = false } = options;
  const environments = withGenerators(options.environments);
  const stack = new DisposableStack();
  const loop = stack.use(createEventLoop({ startAt, timeScale, log }));
  const chance = createChance(seed, loop);
  const { rng } = chance;
  const store = createStore({ now: loop.now, rng: rng.fork("store"), othersWrites: chance.othersWrites });
  const machine = createMachine(loop);
  const directory = stack.use(createServiceDirectory(store, loop, machine));
  const policies = stack.use(createNetworkPolicies(store, loop));
  const programs = createPrograms(environments);
  const profile = createLoadProfile(seed, chance.salt);
  const orders = stack.use(createLoadOrders(store, loop));
  const physics = stack.use(
    createPhysics({
      machine,
      loop,
      directory,
      programs,
      policies,
      profile: (load, namespace, now) => profile(load, namespace, now) * orders.factor(namespace, now),
      loadNameOf: orders.nameOf,
      rng: rng.fork("users"),
      nodeCores: (name) => nodeOf(name)?.cores ?? 1,
      labelPod: createPodLabeller(store, loop.now),
    }),
  );
  const network = createNetwork({
    machine,
    directory,
    programs,
    policies,
    states: physics.states,
    rng,
    measures,
  });
  const parts = { store, loop, rng, machine, physics };
  const { requests, traces, metrics, history } = startTelemetry(stack, parts, options.metricsEveryMs);
  const tokens = createServiceAccountTokens(store, createTokenKeys(), loop.now);
  const webhooks = webhookAdmission({
    store,
    call: createCallWebhook({ directory, network, now: loop.now }),
  });
  const plane = startControlPlane({
    store,
    loop,
    rng,
    log,
    machine,
    network,
    ...{ environments, otherImages },
    metrics,
    webhooks,
    runCommand: createRunCommand(loop, () => exec),
    runMainScript: (main) => runMainScript(main),
    issueToken: createPodTokens(store, tokens),
    issueSecretToken: tokens.issueFor,
    allResources: storedResources(),
    ...(options.caPem && { caPem: options.caPem }),
  });
  const inner = { store, loop, machine, rng, network };
  const chaos = startChaosMesh(inner, plane.kubelet.killContainer);
  stack.defer(chaos.stop);
  const computing = createComputingTracker(loop);
  const over = stack.adopt(new AbortController(), (one) => one.abort());
  const shellDeps = {
    background: (request: ExecRequest) => void exec({ ...request, signal: over.signal }).catch(() => {}),
    ...{ loop: computing.loop, onComputing: computing.onComputing },
    machine,
    network,
    rng: rng.fork("shell"),
    ...memoryOfNodes(machine),
    killContainer: plane.kubelet.killContainer,
    apiAt: createPodApi({ directory, policies, world: () => world }),
  };
  const exec: Exec = computing.track(createExec(shellDeps));
  const runMainScript = createMainScripts(shellDeps, computing.during);
  if (options.ownPods) {
    for (const object of systemObjects) applyObject(store, object);
    startStaticPods({ store: createManagedStore(store, "kubelet", loop.now), loop }, staticPods);
  }
  const logs = stack.use(createLogBook({ loop, machine }));
  stack.use(startLogWriter({ loop, machine, traffic: physics }));

  const world: World = {
    ...plane,
    ...createMoments({ loop, store, chance, keys: tokens.keys }),
    loop,
    store,
    tokens,
    machine,
    network,
    physics,
    programs,
    directory,
    chaos,
    webhooks,
    exec,
    ...{ isComputing: computing.isComputing, elsewhere: computing.elsewhere },
    logs: logs.read,
    metrics,
    requests,
    proxy: createProxy({ loop, machine, network, requests, traces, history, node: sizeOf }),
    apply: (object) => applyObject(store, object),
    [Symbol.dispose]: () => stack.dispose(),
  };
  return world;
}
