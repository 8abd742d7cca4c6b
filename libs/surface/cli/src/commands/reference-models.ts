import { startReferenceModels } from "@microremed/reference-models";
import { Command } from "commander";
import { type CatalogueOptions, catalogueOf, catalogueOption } from "../catalogue.ts";
import type { Context } from "../context.ts";
import { wholeNumber } from "../parse-number.ts";
import { untilAborted } from "../until-aborted.ts";

export function referenceModelsCommand(context: Context): Command {
  return new Command("reference-models")
    .option("--host <address>", "address to listen on", "127.0.0.1")
    .option("--port <n>", "port to listen on; 0: any free port", wholeNumber(0, 65_535), 0)
    .addOption(catalogueOption(context))
    .action(async ({ host, port, catalogue }: CatalogueOptions & { host: string; port: number }) => {
      const { faults } = await catalogueOf(context, { catalogue });
      await using models = await startReferenceModels({ host, port, faults: faults.all() });
      context.terminal.say(`reference models at ${models.url}; Ctrl-C stops them`);
      await untilAborted(context.signal);
    });
}
