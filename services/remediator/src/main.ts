import { loadCatalogue } from "@microremed/registry";
import { runService } from "@microremed/service-kit";
import { remediatorConfig } from "./config.ts";
import { connectModels } from "./connect-models.ts";
import { openModels } from "./open-models.ts";
import { startRemediator } from "./service.ts";
import { createWatchModel } from "./watch-model.ts";

await runService({
  name: "remediator",
  config: remediatorConfig,
  start: async (context) => {
    const { config, bus, state, stack, log, metrics, tracing } = context;
    const watch = createWatchModel(metrics, tracing);
    const { models, cassette, judge, secrets } = await openModels(config, process.env);
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
      }),
    );
  },
});
