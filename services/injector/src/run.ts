import type { Clusters } from "@microremed/cluster";
import { openClusters } from "@microremed/cluster/kubeconfig";
import type { Logger } from "@microremed/core";
import { loadCatalogue } from "@microremed/registry";
import type { ServiceDefinition } from "@microremed/service-kit";
import { injectorConfig } from "./config.ts";
import { startInjector } from "./service.ts";

/** Opens the clusters of a clusters file. */
type Open = (file: string, options: { readonly log: Logger }) => Promise<Clusters>;

/** The injector with NATS, Redis and its environment variables. `open` may give other clusters than those of the file. */
export function injectorService(open: Open = openClusters): ServiceDefinition<typeof injectorConfig> {
  return {
    name: "injector",
    config: injectorConfig,
    start: async ({ config, log, bus, state, stack }) => {
      const clusters = stack.use(await open(config.CLUSTERS_FILE, { log }));
      const catalogue = await loadCatalogue({
        dirs: config.CATALOGUE_DIRS,
        environmentsDir: config.ENVIRONMENTS_DIR,
      });
      const idleMs =
        config.ARENA_IDLE_MINUTES === 0 ? Number.POSITIVE_INFINITY : config.ARENA_IDLE_MINUTES * 60_000;
      stack.use(
        await startInjector({
          bus,
          state,
          log,
          clusters,
          catalogue,
          idleMs,
          concurrency: config.CONCURRENCY,
          telemetryDir: config.TELEMETRY_DIR,
        }),
      );
    },
  };
}
