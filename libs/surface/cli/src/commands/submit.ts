import { Command } from "commander";
import { openClient } from "../connection.ts";
import type { Context } from "../context.ts";
import { readRequest } from "../read-request.ts";
import { submitOrThrow } from "../submit.ts";

export function submitCommand(context: Context): Command {
  return new Command("submit")
    .requiredOption("-f, --file <path>", "the request, YAML or JSON")
    .addHelpText("after", "\nExample:\n  microremed submit -f request.yaml && microremed watch <id>")
    .action(async ({ file }: { file: string }) => {
      const request = await readRequest(file);
      await using client = await openClient(context);
      context.terminal.print(await submitOrThrow(client, request));
    });
}
