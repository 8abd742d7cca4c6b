import { startReferenceModels } from "@microremed/reference-models";
import { Command } from "commander";
import type { Context } from "../context.ts";
import { wholeNumber } from "../parse-number.ts";
import { untilAborted } from "../until-aborted.ts";

export function referenceModelsCommand(context: Context): Command {
  return new Command("reference-models")
    .option("--host <address>", "address to listen on", "127.0.0.1")
    .option("--port <n>", "0: any free one", wholeNumber(0, 65_535), 0)
    .action(async (options: { host: string; port: number }) => {
      await using models = await startReferenceModels(options);
      context.terminal.say(`reference models at ${models.url}; Ctrl-C stops them`);
      await untilAborted(context.signal);
    });
}
