import { Command } from "commander";
import { openClient } from "../connection.ts";
import type { Context } from "../context.ts";
import { exitCodes } from "../exit-codes.ts";
import { followExperiments } from "../follow.ts";
import { endedInErrors } from "../run-experiment.ts";

export function watchCommand(context: Context): Command {
  return new Command("watch").argument("<id>", "the experiment's id").action(async (id: string) => {
    await using client = await openClient(context);
    await client.experimentRecord(id);
    const outcomes: { outcome: string }[] = [];
    const [status] = await followExperiments(client, [id], context.terminal, context.signal, (event) => {
      if (event.type === "episode-finished") outcomes.push(event);
    });
    const ended = endedInErrors(outcomes) ? exitCodes.harness : exitCodes.ok;
    process.exitCode = (status === "completed" ? ended : exitCodes.cancelled).code;
  });
}
