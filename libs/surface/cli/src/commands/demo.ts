import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { builtInCatalogue, type Catalogue } from "@microremed/registry";
import { leaderboardTable, plainTable, renderHtml } from "@microremed/scoring";
import { Command } from "commander";
import { type RangeOptions, rangeOption, timeScaleOption } from "../choose-range.ts";
import type { Context } from "../context.ts";
import { startLocalRange } from "../local-range.ts";
import { wholeNumber } from "../parse-number.ts";
import { runExperiment } from "../run-experiment.ts";
import { prepareDirectory, removeEpisodes } from "../save-episodes.ts";
import { submitOrThrow } from "../submit.ts";

const models = ["reference/noop", "reference/restart", "reference/runbook"];
/** Its own directory holds its episodes only: a second demo replaces those of the first. */
const demoId = "demo";
const demoMethods = ["ThinkRemed", "SoloGen"];

interface Options extends RangeOptions {
  readonly failures?: string;
  readonly arenas: number;
  readonly timeScale: number;
  readonly savePath: string;
}

export function demoCommand(context: Context): Command {
  return new Command("demo")
    .option("--failures <names>", "comma-separated faults; default: all that the published benchmark has")
    .option("--arenas <n>", "number of embedded clusters, one arena each", wholeNumber(1, 64), 8)
    .addOption(timeScaleOption(100))
    .option("--save-path <dir>", "directory for the report and the episodes", "runs/demo")
    .addOption(rangeOption())
    .action(async (options: Options) => {
      await demo(context, options);
    });
}

/** The faults that the published benchmark has a rule for, by name. */
export function publishedFaults(faults: Pick<Catalogue["faults"], "all">): string[] {
  return faults.all().flatMap(({ name, published, control }) => (published && !control ? [name] : []));
}

async function demo(context: Context, options: Options): Promise<void> {
  const startedAt = Date.now();
  const { faults } = await builtInCatalogue();
  const failures =
    options.failures?.split(",").map((name) => faults.get(name.trim()).name) ?? publishedFaults(faults);
  const savePath = join(options.savePath, "episodes");
  await prepareDirectory(savePath, demoId);
  await removeEpisodes(savePath);
  await using range = await startLocalRange(context, { ...options, seed: 1 });
  const { client } = range;
  const id = await submitOrThrow(client, {
    id: demoId,
    environment: "online-boutique",
    model: models,
    method: demoMethods,
    failures,
    maxParallel: options.arenas,
  });
  const { report, interrupted } = await runExperiment(context, client, [{ experimentId: id }], { savePath });
  const page = resolve(options.savePath, "report.html");
  await writeFile(page, renderHtml([report], "MicroRemed demo: online-boutique"));
  context.terminal.print(plainTable(leaderboardTable([report]), context.terminal.width));
  if (interrupted) context.terminal.say("interrupted: this is what had ended");
  context.terminal.say(
    `\n${report.episodes.length} episodes in ${Math.round((Date.now() - startedAt) / 1000)} s; the HTML report: ${page}`,
  );
}
