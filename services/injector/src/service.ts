import {
  type ArenaContext,
  injectFailure,
  prepareArena,
  restoreArena,
  startJanitor,
  watchWindow,
} from "@microremed/arena";
import type { Bus } from "@microremed/bus";
import { environmentOn } from "@microremed/catalogue";
import { type Clusters, fenceCluster } from "@microremed/cluster";
import { type Arena, ClusterCheck, subjects } from "@microremed/contracts";
import { type Logger, wallClock } from "@microremed/core";
import type { Catalogue } from "@microremed/registry";
import {
  createServedShards,
  type FollowedClusters,
  followClusters,
  type StageContext,
  serveStages,
} from "@microremed/service-kit";
import type { State } from "@microremed/state";
import { checkCluster } from "./handlers/check-cluster.ts";
import { saveTelemetry } from "./handlers/save-telemetry.ts";

/** What an injector works with. Nothing in it is closed when the injector stops. */
export interface InjectorDeps {
  readonly bus: Bus;
  readonly state: State;
  readonly log: Logger;
  readonly clusters: Pick<Clusters, "names" | "get" | "entries"> & FollowedClusters;
  readonly catalogue: Pick<Catalogue, "environments" | "faults" | "noises" | "oracles">;
  /** An arena that no episode used for so long gives its namespace back, ms; infinite: never. */
  readonly idleMs: number;
  /** Commands at once in this process, per stage. */
  readonly concurrency: number;
  /** Where the telemetry of every episode is written before its arena is restored; absent: nowhere. */
  readonly telemetryDir?: string | undefined;
}

/** Starts an injector: arenas of every cluster. Disposing it finishes what is in flight. */
export async function startInjector(deps: InjectorDeps): Promise<AsyncDisposable> {
  const { bus, state, log, clusters, catalogue, idleMs, concurrency } = deps;
  await using starting = new AsyncDisposableStack();

  const open = async (
    command: { readonly arena: Arena; readonly environment: string },
    { signal, log, assertHeld }: StageContext,
  ): Promise<ArenaContext> => {
    const cluster = await clusters.get(command.arena.cluster);
    return {
      range: await state.rangeId(),
      cluster: fenceCluster(cluster, assertHeld),
      namespace: command.arena.namespace,
      lease: command.arena,
      environment: environmentOn(cluster, catalogue.environments.get(command.environment)),
      catalogue,
      signal,
      log,
      assertLease: assertHeld,
    };
  };

  const stages = starting.use(
    await serveStages(
      "injector",
      {
        prepare: async (command, context) => ({
          status: "ok",
          ...(await prepareArena(await open(command, context), command)),
        }),
        inject: async ({ window, ...command }, context) => {
          const arena = await open(command, context);
          return window
            ? watchWindow(arena, { ...command, window, wall: wallClock })
            : injectFailure(arena, command);
        },
        restore: async (command, context) => {
          const arena = await open(command, context);
          if (deps.telemetryDir !== undefined)
            await saveTelemetry(deps.telemetryDir, command, arena, clusters.entries);
          return { status: "ok", ...(await restoreArena(arena, command)) };
        },
      },
      { bus, state, shards: [], concurrency },
    ),
  );
  const checks = starting.use(
    createServedShards((cluster) =>
      bus.serve(subjects.checkCluster(cluster), "injector", ClusterCheck, (request) =>
        checkCluster(request, clusters),
      ),
    ),
  );
  const serve = async (names: readonly string[]): Promise<void> => {
    await Promise.all([checks, stages].map((served) => served.follow(names)));
  };
  starting.use(await followClusters({ clusters, state, log, serve }));
  starting.use(startJanitor({ clusters, state, log, idleMs }));
  return starting.move();
}
