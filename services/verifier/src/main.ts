import { openClusters } from "@microremed/cluster/kubeconfig";
import { loadCatalogue } from "@microremed/registry";
import { runService } from "@microremed/service-kit";
import { verifierConfig } from "./config.ts";
import { startVerifier } from "./service.ts";

await runService("verifier", verifierConfig, async ({ config, log, bus, state, stack }) => {
  const clusters = stack.use(await openClusters(config.CLUSTERS_FILE, { log }));
  const catalogue = await loadCatalogue({
    dirs: config.CATALOGUE_DIRS,
    environmentsDir: config.ENVIRONMENTS_DIR,
  });
  stack.use(await startVerifier({ bus, state, log, clusters, catalogue, concurrency: config.CONCURRENCY }));
});
