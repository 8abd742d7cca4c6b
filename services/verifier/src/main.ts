import { openClusters } from "@microremed/cluster/kubeconfig";
import { GradeCommand } from "@microremed/contracts";
import { createEnvironmentRegistry } from "@microremed/environments";
import { followClusters, runService, serveStage } from "@microremed/service-kit";
import { verifierConfig } from "./config.ts";
import { verify } from "./handlers/verify.ts";

await runService("verifier", verifierConfig, async ({ config, log, bus, state, stack }) => {
  const clusters = stack.use(await openClusters(config.CLUSTERS_FILE, { log }));
  const environments = createEnvironmentRegistry(config.ENVIRONMENTS_DIR);
  const stage = stack.use(
    await serveStage({
      bus,
      state,
      shards: [],
      concurrency: config.CONCURRENCY,
      stage: "grade",
      schema: GradeCommand,
      run: async (command, { signal, assertHeld }) =>
        verify(
          {
            cluster: await clusters.get(command.arena.cluster),
            namespace: command.arena.namespace,
            environment: environments.get(command.environment),
            signal,
          },
          command,
          assertHeld,
        ),
    }),
  );
  stack.use(await followClusters({ clusters, state, log, serve: stage.follow }));
});
