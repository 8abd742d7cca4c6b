import { defaultTask } from "@microremed/contracts";
import { terminal } from "@microremed/core";
import {
  type Compared,
  type ComparedReport,
  compareGroups,
  groupsOf,
  readReport,
  renderComparison,
} from "@microremed/scoring";
import { Command } from "commander";
import { collectReport } from "../collect.ts";
import { openClient } from "../connection.ts";
import type { Context } from "../context.ts";
import { outputOption } from "../output.ts";
import { wholeNumber } from "../parse-number.ts";
import { readJsonFile } from "../read-request.ts";

interface Options {
  readonly seed: number;
  readonly output: "table" | "json";
}

/** One side of the comparison: `<file or experiment>[#model[#method[#task]]]`. */
interface Wanted {
  readonly source: string;
  readonly model: string | undefined;
  readonly method: string | undefined;
  readonly task: string | undefined;
}

export function compareCommand(context: Context): Command {
  return new Command("compare")
    .argument(
      "<a>",
      "a report's JSON file or an experiment's id; add #model, #method and #task to select one of several",
    )
    .argument("<b>", "as <a>; both must have the same cases: the same environment, failures and seed")
    .option("--seed <n>", "seed of the bootstrap", wholeNumber(0, 2 ** 31 - 1), 1)
    .addOption(outputOption())
    .addHelpText(
      "after",
      `
Success is tested with McNemar's exact test on the runs with a verdict on both sides. Times and
tokens have bootstrap intervals over cases. The command warns about cases that only one side has,
and about settings that differ.

Examples:
  microremed compare runs/a.json runs/b.json
  microremed compare matrix-1#gpt-4.1 matrix-1#reference/runbook --output json`,
    )
    .action(async (a: string, b: string, options: Options) => {
      await compare(context, wantedFrom(a), wantedFrom(b), options);
    });
}

async function compare(context: Context, a: Wanted, b: Wanted, { seed, output }: Options): Promise<void> {
  const [left, right] = [await load(context, a), await load(context, b)];
  const comparisons = pairUp(left, right).map(([one, other]) => compareGroups(one, other, seed));
  if (output === "json") return context.terminal.print(JSON.stringify({ comparisons }, null, 2));
  context.terminal.print(comparisons.map((one) => renderComparison(one, context.terminal.width)).join("\n"));
}

/** One of each: these two. Several: those of the same model and method. */
function pairUp(left: readonly Compared[], right: readonly Compared[]): [Compared, Compared][] {
  const [a, b] = [left[0], right[0]];
  if (a && b && left.length === 1 && right.length === 1) return [[a, b]];
  const pairs = left.flatMap((one): [Compared, Compared][] => {
    const same = right.find(({ group }) => labelOf(group) === labelOf(one.group));
    return same ? [[one, same]] : [];
  });
  if (pairs.length > 0) return pairs;
  const known = (side: readonly Compared[]) => side.map(({ group }) => labelOf(group)).join(", ");
  throw terminal(
    "invalid-request",
    `the two sides have no model and method in common; select one of each with #model#method: A has ${known(left)}, B has ${known(right)}`,
  );
}

function labelOf({ model, method, task }: Compared["group"]): string {
  return `#${model}#${method}${task === defaultTask ? "" : `#${task}`}`;
}

function wantedFrom(argument: string): Wanted {
  const [source = "", model, method, task] = argument.split("#");
  return { source, model, method, task };
}

/** What is wanted of a file, when it looks like one, or else of an experiment of the range. */
async function load(context: Context, { source, model, method, task }: Wanted): Promise<Compared[]> {
  const report = /[./]/.test(source)
    ? await readJsonFile(source, "report", "--output json", readReport)
    : await readFromRange(context, source);
  const groups = groupsOf(report.episodes);
  const wanted = groups.filter(
    (group) =>
      (model === undefined || group.model === model) &&
      (method === undefined || group.method === method) &&
      (task === undefined || group.task === task),
  );
  if (wanted.length > 0) return wanted.map((group) => ({ report, group }));
  throw terminal(
    "invalid-request",
    `${source} has no such model and method; it has ${groups.map(labelOf).join(", ")}`,
  );
}

async function readFromRange(context: Context, id: string): Promise<ComparedReport> {
  await using client = await openClient(context, "client", id);
  return await collectReport(client, id, undefined);
}
