import { loadCatalogue } from "@microremed/registry";
import type { ServiceDefinition } from "@microremed/service-kit";
import { remediatorConfig } from "./config.ts";
import { connectModels } from "./connect-models.ts";
import { openModels } from "./open-models.ts";
import { startRemediator } from "./service.ts";
import { createWatchModel } from "./watch-model.ts";

/** The remediator with NATS, Redis and its environment variables, among which the keys of models are. */
export const remediatorService: ServiceDefinition<typeof remediatorConfig> = {
  name: "remediator",
  config: remediatorConfig,
  start: async (context) => {
    const { config, variables, bus, state, stack, log, metrics, tracing } = context;
    const watch = createWatchModel(metrics, tracing);
    const { models, cassette, judge, secrets } = await openModels(config, variables);
    for (const secret of secrets) log.hide(secret);
    stack.use(
      await startRemediator({
        bus,
        state,
        log,
        models,
        catalogue: await loadCatalogue({ dirs: config.CATALOGUE_DIRS }),
        connectModel: connectModels({ state, log, cassette, watch }),
        recorded: judge,
        patterns: config.MODELS,
        concurrency: config.CONCURRENCY,
        sessions: config.SESSIONS,
        idleSeconds: config.SESSION_IDLE_SECONDS,
      }),
    );
  },
};
