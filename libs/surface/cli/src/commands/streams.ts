import { setTimeout as delay } from "node:timers/promises";
import { AppError } from "@microremed/core";
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
    .option("--wait <seconds>", "how long NATS may take to be there", wholeNumber(0, 86_400), 0)
    .action(async ({ replicas, wait }: { replicas?: number; wait: number }) => {
      await untilThere(context, wait, async () => {
        await using client = await openClient(context, "admin");
        await client.createStreams(replicas);
      });
      context.terminal.say("all streams exist");
    });
}

const retryMs = 1_000;

/** Tries again while the server is still starting; says once why. Throws what the last try threw. */
async function untilThere(
  { terminal, signal }: Context,
  seconds: number,
  create: () => Promise<void>,
): Promise<void> {
  const deadline = performance.now() + seconds * 1000;
  for (let tries = 1; ; tries += 1) {
    try {
      return await create();
    } catch (thrown) {
      const { severity, message } = AppError.from(thrown);
      if (severity !== "retryable" || performance.now() >= deadline) throw thrown;
      if (tries === 1) terminal.say(`waiting for NATS, at most ${seconds} s: ${message}`);
      await delay(retryMs, undefined, { signal });
    }
  }
}
