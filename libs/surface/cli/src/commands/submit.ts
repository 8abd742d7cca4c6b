import { Command } from "commander";
import { type CatalogueOptions, catalogueOf, catalogueOption } from "../catalogue.ts";
import { openClient } from "../connection.ts";
import type { Context } from "../context.ts";
import { askModels, preflightOption } from "../preflight.ts";
import { readRequest } from "../read-request.ts";
import { submitOrThrow } from "../submit.ts";

interface Options extends CatalogueOptions {
  readonly file: string;
  readonly preflight: boolean;
}

export function submitCommand(context: Context): Command {
  return new Command("submit")
    .requiredOption("-f, --file <path>", "the request, YAML or JSON")
    .addOption(preflightOption())
    .addOption(catalogueOption(context))
    .addHelpText("after", "\nExample:\n  microremed submit -f request.yaml && microremed watch <id>")
    .action(async ({ file, preflight, ...options }: Options) => {
      const request = await readRequest(file);
      const { agents } = await catalogueOf(context, options);
      await using client = await openClient(context);
      if (preflight) await askModels(client, request, agents, context.terminal);
      context.terminal.print(await submitOrThrow(client, request));
    });
}
