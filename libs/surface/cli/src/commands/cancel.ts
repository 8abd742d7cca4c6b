import { Command } from "commander";
import { openClient } from "../connection.ts";
import type { Context } from "../context.ts";

export function cancelCommand(context: Context): Command {
  return new Command("cancel").argument("<id>", "the experiment's id").action(async (id: string) => {
    await using client = await openClient(context);
    const { status } = await client.experimentRecord(id);
    if (status !== "running") {
      context.terminal.say(`nothing to cancel: ${id} is ${status}`);
      return;
    }
    await client.cancel(id);
    context.terminal.say(`cancelling ${id}; \`microremed watch ${id}\` shows when its arenas are restored`);
  });
}
