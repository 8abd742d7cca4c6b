import { openClusters } from "@microremed/cluster/kubeconfig";
import { createPolicyRegistry } from "@microremed/policies";
import { loadCatalogue } from "@microremed/registry";
import type { ServiceDefinition } from "@microremed/service-kit";
import { createCatalog } from "./catalog.ts";
import { schedulerConfig } from "./config.ts";
import { rangeMetrics } from "./observe/range-metrics.ts";
import { stepMetrics } from "./observe/step-metrics.ts";
import { spansOf } from "./observe/step-spans.ts";
import { startScheduler } from "./service.ts";

/** The scheduler with NATS, Redis and its environment variables. */
export const schedulerService: ServiceDefinition<typeof schedulerConfig> = {
  name: "scheduler",
  config: schedulerConfig,
  start: async (context) => {
    const { config, log, metrics, tracing, bus, state, stack } = context;
    const clusters = stack.use(await openClusters(config.CLUSTERS_FILE, { log }));
    const catalogue = await loadCatalogue({
      dirs: config.CATALOGUE_DIRS,
      environmentsDir: config.ENVIRONMENTS_DIR,
    });
    const policies = createPolicyRegistry(config.POLICIES_DIR);
    rangeMetrics(metrics, bus, state);
    const count = stepMetrics(metrics);
    const scheduler = await startScheduler({
      bus,
      state,
      log,
      catalog: createCatalog(catalogue, clusters, policies.names),
      clusters: () => clusters.entries,
      now: () => state.now(),
      onStep: (step) => {
        count(step);
        if (tracing.on) for (const span of spansOf(step)) tracing.record(span);
      },
      concurrency: config.CONCURRENCY,
    });
    stack.use(scheduler);
  },
};
