import { type Logger, silentLogger } from "@microremed/core";
import type { Environment } from "@microremed/environments";
import { createApi, createLocalApi } from "@microremed/sim-apiserver";
import type { TokenUser } from "@microremed/sim-kinds";
import { createSteppedClock } from "@microremed/sim-time";
import { apiDepsOf } from "./api-deps-of.ts";
import { createNamedSnapshots, firstSnapshot } from "./named-snapshots.ts";
import { createSteppedApi, type SteppedApi } from "./stepped-api.ts";
import { createWorld, type World } from "./world.ts";

/**
 * What a cluster in this process is made of. The seed decides all randomness of the cluster but for the keys of its
 * tokens.
 */
export interface LocalClusterOptions {
  readonly seed: number | string;
  /** Systems whose images the cluster's nodes can pull and whose programs it knows. */
  readonly environments: readonly Environment[];
  /** Cluster time at the start, ms since the epoch; the default is always the same. */
  readonly startAt?: number;
  /** Users beside the admin, who hold these tokens; RBAC decides what they may do. */
  readonly users?: readonly TokenUser[];
  /** How often the history of metrics measures every pod, ms of cluster time; default 5 s. It keeps an hour. */
  readonly metricsEveryMs?: number;
  /** It runs the pods that every cluster consists of, such as its name server's; default false: it is faster without. */
  readonly ownPods?: boolean;
  readonly log?: Logger;
}

/**
 * An embedded cluster that is called in its own process, without a socket. Its time does not advance while no caller waits on
 * it and otherwise goes as fast as it can be computed: the same seed and the same calls make the same cluster.
 */
export interface LocalCluster extends SteppedApi, Disposable, Pick<World, "snapshot" | "restore"> {
  /** Bearer token of group system:masters. */
  readonly adminToken: string;
  readonly world: World;
  /** Cluster time, ms since the epoch. */
  now(): number;
}

/** Makes a cluster in this process. Disposing it stops everything in it. */
export function createLocalCluster(options: LocalClusterOptions): LocalCluster {
  const { seed, environments, startAt, users, metricsEveryMs, ownPods = false, log = silentLogger } = options;
  const stack = new DisposableStack();
  const world = stack.use(
    createWorld({
      ...{ seed, environments, log, metricsEveryMs, ownPods },
      ...(startAt !== undefined && { startAt }),
    }),
  );
  const { loop, store } = world;
  const clock = stack.use(createSteppedClock({ ...world, version: () => store.resourceVersion }));
  const api = createApi({ ...apiDepsOf(world, log), ...(users && { users }) });
  const snapshots = createNamedSnapshots(world);
  snapshots.take(firstSnapshot);
  return {
    ...createSteppedApi(createLocalApi(api), clock, snapshots),
    adminToken: api.adminToken,
    world,
    snapshot: world.snapshot,
    restore: world.restore,
    now: loop.now,
    [Symbol.dispose]: () => stack.dispose(),
  };
}
