import type { Clusters } from "@microremed/cluster";
import { openClusters } from "@microremed/cluster/kubeconfig";
import type { Logger } from "@microremed/core";
import { loadCatalogue } from "@microremed/registry";
import type { ServiceDefinition } from "@microremed/service-kit";
import { verifierConfig } from "./config.ts";
import { startVerifier } from "./service.ts";

/** Opens the clusters of a clusters file. */
type Open = (file: string, options: { readonly log: Logger }) => Promise<Clusters>;

/** The verifier with NATS, Redis and its environment variables. `open` may give other clusters than those of the file. */
export function verifierService(open: Open = openClusters): ServiceDefinition<typeof verifierConfig> {
  return {
    name: "verifier",
    config: verifierConfig,
    start: async ({ config, log, bus, state, stack }) => {
      const clusters = stack.use(await open(config.CLUSTERS_FILE, { log }));
      const catalogue = await loadCatalogue({
        dirs: config.CATALOGUE_DIRS,
        environmentsDir: config.ENVIRONMENTS_DIR,
      });
      stack.use(
        await startVerifier({ bus, state, log, clusters, catalogue, concurrency: config.CONCURRENCY }),
      );
    },
  };
}
