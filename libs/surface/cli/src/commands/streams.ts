import { Command } from "commander";
import { openClient } from "../connection.ts";
import type { Context } from "../context.ts";
import { wholeNumber } from "../parse-number.ts";

/** `microremed streams`: what a range needs at NATS before its services start, where these may not create it. */
export function streamsCommand(context: Context): Command {
  return new Command("streams")
    .addHelpText(
      "after",
      "\nExample:\n  NATS_URL=nats://nats:4222 NATS_USER=admin NATS_PASSWORD=... microremed streams",
    )
    .option("--replicas <n>", "replicas of each stream in a NATS cluster", wholeNumber(1, 5))
    .action(async ({ replicas }: { replicas?: number }) => {
      await using client = await openClient(context, "admin");
      await client.createStreams(replicas);
      context.terminal.say("all streams exist");
    });
}
