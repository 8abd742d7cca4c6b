import { createEnvironmentRegistry } from "@microremed/environments";
import { openClusters } from "@microremed/kube";
import { createPolicyRegistry } from "@microremed/playbook";
import { runService } from "@microremed/service-kit";
import { createCatalog } from "./catalog.ts";
import { schedulerConfig } from "./config.ts";
import { startScheduler } from "./scheduler.ts";

await runService("scheduler", schedulerConfig, async ({ config, log, bus, state, stack }) => {
  const clusters = stack.use(await openClusters(config.CLUSTERS_FILE, { log }));
  const environments = createEnvironmentRegistry(config.ENVIRONMENTS_DIR);
  const policies = createPolicyRegistry(config.POLICIES_DIR);
  const scheduler = await startScheduler({
    bus,
    state,
    log,
    catalog: createCatalog(environments, clusters.names, policies.names),
    clusters: clusters.entries,
    now: Date.now,
    concurrency: config.CONCURRENCY,
  });
  stack.use(scheduler);
});
