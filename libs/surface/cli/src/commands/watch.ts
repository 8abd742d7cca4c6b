import { Command } from "commander";
import { openClient } from "../connection.ts";
import type { Context } from "../context.ts";
import { exitCodes } from "../exit-codes.ts";
import { followExperiments } from "../follow.ts";

export function watchCommand(context: Context): Command {
  return new Command("watch").argument("<id>", "the experiment").action(async (id: string) => {
    await using client = await openClient(context);
    await client.experiment(id);
    const [status] = await followExperiments(client, [id], context.terminal, context.signal);
    process.exitCode = (status === "completed" ? exitCodes.ok : exitCodes.cancelled).code;
  });
}
