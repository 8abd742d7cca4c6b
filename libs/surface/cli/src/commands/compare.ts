import { stat } from "node:fs/promises";
import { terminal } from "@microremed/core";
import {
  type ComparedReport,
  compareGroups,
  groupsOf,
  readReport,
  renderComparisons,
} from "@microremed/scoring";
import { Command } from "commander";
import { type CatalogueOptions, catalogueOf, catalogueOption } from "../catalogue.ts";
import { collectReport } from "../collect.ts";
import { type ComparedRun, labelOf, pairUp } from "../compare/pair-up.ts";
import { type ReadRun, readRuns } from "../compare/read-runs.ts";
import { openClient } from "../connection.ts";
import type { Context } from "../context.ts";
import { outputOption } from "../output.ts";
import { wholeNumber } from "../parse-number.ts";
import { readJsonFile } from "../read-request.ts";

interface Options extends CatalogueOptions {
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
      "a directory written with --save-path, or one that holds several; a report's JSON file; or an experiment's id; add #model, #method and #task to select one of several",
    )
    .argument("<b>", "as <a>; both must have the same cases: the same environment, failures and seed")
    .option("--seed <n>", "seed of the bootstrap", wholeNumber(0, 2 ** 31 - 1), 1)
    .addOption(outputOption())
    .addOption(catalogueOption(context))
    .addHelpText(
      "after",
      `
Success is tested with McNemar's exact test on the runs with a verdict on both sides. Times and
tokens have bootstrap intervals over cases. The command warns about cases that only one side has,
and about settings that differ. Several groups are paired by run (the name in the directory), model, method
and task; if each side has one model with one method, by task alone. Each task has a table then.

Examples:
  microremed compare runs/a.json runs/b.json
  microremed compare results/monday results/tuesday
  microremed compare matrix-1#gpt-4.1 matrix-1#reference/runbook --output json`,
    )
    .action(async (a: string, b: string, options: Options) => {
      await compare(context, wantedFrom(a), wantedFrom(b), options);
    });
}

async function compare(context: Context, a: Wanted, b: Wanted, options: Options): Promise<void> {
  const { seed, output } = options;
  const [left, right] = [await load(context, a, options), await load(context, b, options)];
  const comparisons = pairUp(left, right).map(([one, other]) => compareGroups(one, other, seed));
  if (output === "json") return context.terminal.print(JSON.stringify({ comparisons }, null, 2));
  context.terminal.print(renderComparisons(comparisons, context.terminal.width));
}

function wantedFrom(argument: string): Wanted {
  const [source = "", model, method, task] = argument.split("#");
  return { source, model, method, task };
}

/** What is wanted of a file or a directory, when it looks like one, or else of an experiment of the range. */
async function load(
  context: Context,
  { source, model, method, task }: Wanted,
  options: CatalogueOptions,
): Promise<ComparedRun[]> {
  const reports = await reportsIn(context, source, options);
  const groups = reports.flatMap(({ run, report }) =>
    groupsOf(report.episodes).map((group) => ({ run, report, group })),
  );
  const wanted = groups.filter(
    ({ group }) =>
      (model === undefined || group.model === model) &&
      (method === undefined || group.method === method) &&
      (task === undefined || group.task === task),
  );
  if (wanted.length > 0) return wanted;
  const known = [...new Set(groups.map(({ group }) => labelOf(group)))].join(", ");
  throw terminal("invalid-request", `${source} has no such model and method; it has ${known}`);
}

async function reportsIn(context: Context, source: string, options: CatalogueOptions): Promise<ReadRun[]> {
  const found = await stat(source).catch(() => undefined);
  if (found?.isDirectory()) return await readRuns(context, source, await catalogueOf(context, options));
  if (!/[./]/.test(source)) return [{ run: "", report: await readFromRange(context, source) }];
  return [{ run: "", report: await readJsonFile(source, "report", "--output json", readReport) }];
}

async function readFromRange(context: Context, id: string): Promise<ComparedReport> {
  await using client = await openClient(context, "client", id);
  return await collectReport(client, id, undefined);
}
