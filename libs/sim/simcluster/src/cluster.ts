import { type Logger, silentLogger } from "@microremed/core";
import type { Environment } from "@microremed/environments";
import { createApiServer, type Identity, kubernetesVersion } from "@microremed/sim-apiserver";
import type { TokenUser } from "@microremed/sim-kinds";
import type { Machine } from "@microremed/sim-machine";
import type { Store } from "@microremed/sim-store";
import { createSteppedClock, type PumpedEventLoop } from "@microremed/sim-time";
import { apiDepsOf } from "./api-deps-of.ts";
import { clockPath, clockRoutes } from "./clock-routes.ts";
import { createNamedSnapshots, firstSnapshot } from "./named-snapshots.ts";
import { nodesRoutes } from "./nodes-routes.ts";
import { scrapeRoutes } from "./scrape-routes.ts";
import { snapshotRoutes, snapshotsPath } from "./snapshot-routes.ts";
import { createSteppedApi, type SteppedApi } from "./stepped-api.ts";
import { createWorld, type World } from "./world.ts";

/** What an embedded cluster is made of, and where it listens. */
export interface SimClusterOptions {
  readonly name: string;
  readonly seed: number | string;
  /** Cluster seconds per wall second while a client holds the clock. */
  readonly timeScale: number;
  /** Systems whose images the cluster's nodes can pull and whose programs it knows. */
  readonly environments: readonly Environment[];
  /**
   * Nodes can pull any image of repositories that no environment has: it runs as its command, ports and probes imply. Default: only
   * common public ones.
   */
  readonly otherImages?: boolean;
  /**
   * Cluster time at the start, ms since the epoch. By default the wall clock's. If cluster time can run ahead of
   * it, six hours before: clients that compare the two show `<invalid>` for what is in their future.
   */
  readonly startAt?: number;
  /** 0, the default: any free one. */
  readonly port?: number;
  readonly host?: string;
  readonly identity?: Identity;
  /** Users beside the admin, who hold these tokens; RBAC decides what they may do. */
  readonly users?: readonly TokenUser[];
  /** The wall clock does not drive its time before `loop.start()`. Default: it does. */
  readonly isPaused?: boolean;
  readonly log?: Logger;
}

/** A running embedded cluster: other code knows only its kubeconfig. */
export interface SimCluster extends AsyncDisposable {
  readonly name: string;
  /** `https://127.0.0.1:port`. */
  readonly url: string;
  /** The admin's, as YAML text. */
  readonly kubeconfig: string;
  /** Of a user with a client certificate of its own; RBAC decides what it may do. */
  userKubeconfig(user: {
    readonly name: string;
    readonly groups: readonly string[];
    readonly namespace?: string;
  }): Promise<string>;
  /** Where the cluster's clock is served, for the admin's token. */
  readonly clockUrl: string;
  /** Where its snapshots are taken and gone back to, for the admin's token. */
  readonly snapshotsUrl: string;
  readonly caPem: string;
  /** The version of Kubernetes that it says it is, as `1.31`. */
  readonly kubernetes: string;
  /** Bearer token of group system:masters. */
  readonly adminToken: string;
  /**
   * For callers in this process. While one sleeps on this clock, time goes as fast as it can be computed, unless a client of
   * the network holds the clock. A hold of this clock does nothing.
   */
  readonly local: SteppedApi;
  readonly loop: PumpedEventLoop;
  readonly store: Store;
  readonly machine: Machine;
  readonly snapshot: World["snapshot"];
  readonly restore: World["restore"];
}

/** How far a cluster whose clock can gain on the wall clock may do so before its timestamps lie in clients' future, ms. */
const headStartMs = 6 * 3_600_000;

/** How old a cluster is when it is first seen, cluster time in ms: its own pods are ready then. */
const settledMs = 60_000;

/** Starts an embedded cluster: its API server listens, and its time runs unless it is paused, when the promise resolves. */
export async function startSimCluster(options: SimClusterOptions): Promise<SimCluster> {
  const { name, seed, timeScale, environments, port = 0, host = "127.0.0.1", log = silentLogger } = options;
  await using stack = new AsyncDisposableStack();
  let caPem = "";
  const world = stack.use(
    createWorld({
      seed,
      environments,
      otherImages: options.otherImages ?? false,
      timeScale,
      startAt: (options.startAt ?? Date.now() - (timeScale > 1 ? headStartMs : 0)) - settledMs,
      ownPods: true,
      log,
      caPem: () => caPem,
    }),
  );
  const { loop, store, machine } = world;
  const snapshots = createNamedSnapshots(world);
  const server = stack.use(
    await createApiServer({
      ...apiDepsOf(world, log),
      ...(options.identity && { identity: options.identity }),
      ...(options.users && { users: options.users }),
      routes: [
        ...clockRoutes(loop),
        ...snapshotRoutes(snapshots),
        ...nodesRoutes(world),
        ...scrapeRoutes({ store, requests: world.requests }),
      ],
    }),
  );
  caPem = server.caPem;
  const version = () => store.resourceVersion;
  const clock = stack.use(createSteppedClock({ ...world, version }));
  loop.advance(settledMs);
  snapshots.take(firstSnapshot);
  await server.listen({ port, host });
  if (!options.isPaused) loop.start();
  const owned = stack.move();
  return {
    name,
    url: server.url,
    kubeconfig: server.kubeconfig(name),
    userKubeconfig: ({ namespace, ...user }) =>
      server.userKubeconfig(user, { cluster: name, ...(namespace && { namespace }) }),
    clockUrl: `${server.url}${clockPath}`,
    snapshotsUrl: `${server.url}${snapshotsPath}`,
    caPem,
    kubernetes: `${kubernetesVersion.major}.${kubernetesVersion.minor}`,
    adminToken: server.adminToken,
    local: createSteppedApi(server.local, clock, snapshots),
    loop,
    store,
    machine,
    snapshot: world.snapshot,
    restore: world.restore,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
