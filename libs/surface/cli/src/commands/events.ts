import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { RangeEvent } from "@microremed/contracts";
import { counted } from "@microremed/core";
import { Command } from "commander";
import { openClient } from "../connection.ts";
import type { Context } from "../context.ts";

export function eventsCommand(context: Context): Command {
  return new Command("events")
    .argument("<id>", "experiment id, or `rejected` for requests without a valid id")
    .option("--archive <file>", "write the events to a file instead; NATS keeps them for 30 days")
    .addHelpText(
      "after",
      `
Examples:
  microremed events simple-micro-1a2b3c4d | jq 'select(.type == "episode-finished")'
  microremed events simple-micro-1a2b3c4d --archive events.ndjson`,
    )
    .action(async (id: string, { archive }: { archive?: string }) => {
      await using client = await openClient(context);
      let count = 0;
      const lines = async function* (events: AsyncIterable<RangeEvent>): AsyncGenerator<string> {
        for await (const event of events) {
          count++;
          yield `${JSON.stringify(event)}\n`;
        }
      };
      const source = Readable.from(lines(client.storedEvents(id, context.signal)));
      if (archive === undefined) for await (const line of source) context.terminal.print(String(line));
      else await pipeline(source, createWriteStream(archive, { mode: 0o600 }));
      context.signal.throwIfAborted();
      context.terminal.say(
        `${counted(count, "event")}${archive === undefined ? "" : ` written to ${archive}`}`,
      );
    });
}
