import type { StoredDeadLetter } from "@microremed/bus";
import { errorCodes } from "@microremed/contracts";
import { clipMiddle, terminal } from "@microremed/core";
import type { RangeClient } from "@microremed/range-client";
import { plainTable } from "@microremed/scoring";
import { Command } from "commander";
import { openClient } from "../connection.ts";
import type { Context } from "../context.ts";
import { outputOption } from "../output.ts";
import { wholeNumber } from "../parse-number.ts";

/** Characters; a longer reason is cut in the middle and says so. `show` has all of it. */
const longestReason = 400;
const atMost = 100_000;
const number = wholeNumber(1, Number.MAX_SAFE_INTEGER);

/** `microremed deadletters list|show|retry|drop`: messages that no service could handle. */
export function deadLettersCommand(context: Context): Command {
  const group = new Command("deadletters");
  const verbs = [list(context), show(context), retry(context), drop(context)];
  for (const verb of verbs) group.addCommand(verb);
  return group;
}

function list(context: Context): Command {
  return new Command("list")
    .description("list dead letters, oldest first")
    .option("--limit <n>", "maximum number of dead letters", wholeNumber(1, atMost), 1_000)
    .addOption(outputOption())
    .action(async ({ limit, output }: { limit: number; output: "table" | "json" }) => {
      await using client = await openClient(context);
      const letters = await stored(client, limit);
      const rows = letters.map((letter) => [
        String(letter.id),
        new Date(letter.at).toISOString(),
        letter.subject,
        String(letter.deliveries),
        letter.code,
        clipMiddle(letter.reason.replaceAll(/\s+/g, " "), longestReason),
      ]);
      const heading = ["id", "at", "subject", "deliveries", "code", "reason"];
      context.terminal.print(
        output === "json"
          ? JSON.stringify(letters, null, 2)
          : plainTable([heading, ...rows], context.terminal.width),
      );
    });
}

function show(context: Context): Command {
  return new Command("show")
    .description("show a dead letter with its message and the meaning of its error code")
    .argument("<id>", "its number", number)
    .addOption(outputOption())
    .action(async (id: number, { output }: { output: "table" | "json" }) => {
      await using client = await openClient(context);
      const letter = await client.deadLetters.get(id);
      context.terminal.print(output === "json" ? JSON.stringify(letter, null, 2) : explain(letter));
    });
}

function retry(context: Context): Command {
  return changing(
    context,
    "retry",
    "publish dead letters again on their original subjects",
    "published again",
    (letters, id) => letters.retry(id),
  );
}

function drop(context: Context): Command {
  return changing(context, "drop", "delete dead letters", "dropped", async (letters, id) => {
    if (!(await letters.drop(id)))
      throw terminal(
        "unknown-dead-letter",
        `there is no dead letter ${id}; \`microremed deadletters list\` shows the existing ones`,
      );
  });
}

function changing(
  context: Context,
  name: string,
  description: string,
  done: string,
  change: (letters: RangeClient["deadLetters"], id: number) => Promise<void>,
): Command {
  return new Command(name)
    .description(description)
    .argument("[ids...]", "their numbers", (text, before: readonly number[] = []) => [
      ...before,
      number(text),
    ])
    .option("--all", "all stored dead letters")
    .action(async (ids: readonly number[] = [], { all = false }: { all?: boolean }) => {
      if (all === ids.length > 0)
        throw terminal("invalid-request", "give the numbers of dead letters, or --all");
      await using client = await openClient(context, "admin");
      const chosen = all ? (await stored(client, atMost)).map(({ id }) => id) : ids;
      for (const id of chosen) await change(client.deadLetters, id);
      context.terminal.say(`${chosen.length} dead letters ${done}`);
    });
}

async function stored(client: RangeClient, limit: number): Promise<StoredDeadLetter[]> {
  const letters: StoredDeadLetter[] = [];
  for await (const letter of client.deadLetters.list({ limit })) letters.push(letter);
  return letters;
}

function explain({
  id,
  at,
  subject,
  service,
  deliveries,
  code,
  reason,
  cut,
  body,
}: StoredDeadLetter): string {
  const entry = Object.entries(errorCodes).find(([name]) => name === code)?.[1];
  return [
    `dead letter  ${id}`,
    `at           ${new Date(at).toISOString()}`,
    `subject      ${subject}`,
    `service      ${service}, after ${deliveries} deliveries`,
    `code         ${code}${entry ? `: ${entry.doc}` : ""}`,
    `reason       ${reason.replaceAll("\n", "\n             ")}`,
    ...(entry ? [`what to do   ${entry.todo}`] : []),
    `message${cut ? " (cut)" : ""}:`,
    body,
  ].join("\n");
}
