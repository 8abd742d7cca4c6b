import { openClusters } from "@microremed/cluster/kubeconfig";
import { loadCatalogue } from "@microremed/registry";
import { runService } from "@microremed/service-kit";
import { injectorConfig } from "./config.ts";
import { startInjector } from "./service.ts";

await runService("injector", injectorConfig, async ({ config, log, bus, state, stack }) => {
  const clusters = stack.use(await openClusters(config.CLUSTERS_FILE, { log }));
  const catalogue = await loadCatalogue({
    dirs: config.CATALOGUE_DIRS,
    environmentsDir: config.ENVIRONMENTS_DIR,
  });
  const idleMs =
    config.ARENA_IDLE_MINUTES === 0 ? Number.POSITIVE_INFINITY : config.ARENA_IDLE_MINUTES * 60_000;
  stack.use(
    await startInjector({ bus, state, log, clusters, catalogue, idleMs, concurrency: config.CONCURRENCY }),
  );
});
