import { fenceCluster } from "@microremed/cluster";
import { openClusters } from "@microremed/cluster/kubeconfig";
import {
  type Arena,
  ClusterLook,
  InjectCommand,
  PrepareCommand,
  RestoreCommand,
  subjects,
} from "@microremed/contracts";
import { createEnvironmentRegistry } from "@microremed/environments";
import {
  createServedShards,
  followClusters,
  runService,
  type StageContext,
  serveStage,
} from "@microremed/service-kit";
import type { ArenaContext } from "./arena/arena.ts";
import { injectorConfig } from "./config.ts";
import { injectFailure } from "./handlers/inject.ts";
import { look } from "./handlers/look.ts";
import { prepareArena } from "./handlers/prepare.ts";
import { restoreArena } from "./handlers/restore.ts";
import { startJanitor } from "./janitor/start-janitor.ts";

await runService("injector", injectorConfig, async ({ config, log, bus, state, stack }) => {
  const clusters = stack.use(await openClusters(config.CLUSTERS_FILE, { log }));
  const environments = createEnvironmentRegistry(config.ENVIRONMENTS_DIR);

  const idleMs =
    config.ARENA_IDLE_MINUTES === 0 ? Number.POSITIVE_INFINITY : config.ARENA_IDLE_MINUTES * 60_000;

  const open = async (
    command: { arena: Arena; environment: string },
    { signal, log, assertHeld }: StageContext,
  ): Promise<ArenaContext> => ({
    cluster: fenceCluster(await clusters.get(command.arena.cluster), assertHeld),
    namespace: command.arena.namespace,
    lease: command.arena,
    environment: environments.get(command.environment),
    signal,
    log,
    assertLease: assertHeld,
  });

  const shared = { bus, state, shards: [], concurrency: config.CONCURRENCY };
  const stages = await Promise.all([
    serveStage({
      ...shared,
      stage: "prepare",
      schema: PrepareCommand,
      run: async (command, context) => ({
        status: "ok",
        ...(await prepareArena(await open(command, context), command)),
      }),
    }),
    serveStage({
      ...shared,
      stage: "inject",
      schema: InjectCommand,
      run: async (command, context) => injectFailure(await open(command, context), command),
    }),
    serveStage({
      ...shared,
      stage: "restore",
      schema: RestoreCommand,
      run: async (command, context) => ({
        status: "ok",
        ...(await restoreArena(await open(command, context), command)),
      }),
    }),
  ]);
  for (const stage of stages) stack.use(stage);
  const looks = stack.use(
    createServedShards((cluster) =>
      bus.serve(subjects.look(cluster), "injector", ClusterLook, (request) => look(request, clusters)),
    ),
  );
  const serve = async (names: readonly string[]): Promise<void> => {
    await Promise.all([looks, ...stages].map((served) => served.follow(names)));
  };
  stack.use(await followClusters({ clusters, state, log, serve }));
  stack.use(startJanitor({ clusters, arenas: state.arenas, log, idleMs }));
});
