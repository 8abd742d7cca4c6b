import { loadCatalogue } from "@microremed/registry";
import { runService } from "@microremed/service-kit";
import { gatewayConfig } from "./config.ts";
import { startGateway } from "./service.ts";

await runService({
  name: "gateway",
  config: gatewayConfig,
  start: async ({ config, bus, state, log, metrics, stack }) => {
    const catalogue = await loadCatalogue({
      dirs: config.CATALOGUE_DIRS,
      environmentsDir: config.ENVIRONMENTS_DIR,
    });
    stack.use(await startGateway({ bus, state, log, metrics, catalogue, config }));
  },
});
