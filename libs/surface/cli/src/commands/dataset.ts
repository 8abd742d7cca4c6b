import { availableParallelism } from "node:os";
import { counted } from "@microremed/core";
import { type CaseResult, generateDataset, type PlannedCase, type Recipe } from "@microremed/dataset";
import { Command, Option } from "commander";
import { type CatalogueOptions, catalogueOf, catalogueOption } from "../catalogue.ts";
import type { Context } from "../context.ts";
import type { WorkerOrder } from "../dataset/worker.ts";
import { wholeNumber } from "../parse-number.ts";
import { startThreads } from "../start-threads.ts";

interface Options extends CatalogueOptions {
  readonly suite: string;
  readonly environment: readonly string[];
  readonly incidents: number;
  readonly several: number;
  readonly faultFree?: number;
  readonly out: string;
  readonly step: "15" | "1";
  readonly seed: number;
  readonly before: number;
  readonly after: number;
  readonly noise: Recipe["noise"];
  readonly metricsOnly: boolean;
  readonly workers: number;
}

/** Each has a catalogue and a cluster in memory, some 300 MB. */
const mostWorkers = 64;
const program = new URL("../dataset/worker.ts", import.meta.url);

const names = (text: string): string[] => text.split(",").map((name) => name.trim());

export function datasetCommand(context: Context): Command {
  return new Command("dataset")
    .requiredOption("--suite <name>", "suite whose faults or problems are drawn, e.g. random@1")
    .option("--env, --environment <names>", "comma-separated environments", names, ["online-boutique"])
    .requiredOption("--incidents <n>", "number of cases with a fault", wholeNumber(1, 100_000))
    .option("--several <n>", "number of further cases, with two or three faults", wholeNumber(0, 100_000), 0)
    .option(
      "--fault-free <n>",
      "number of cases in which nothing is wrong; default: a quarter of --incidents",
      wholeNumber(0, 100_000),
    )
    .requiredOption("--out <dir>", "folder for the data set; one that was interrupted is continued")
    .addOption(
      new Option("--step <s>", "seconds between two rows of metrics").choices(["15", "1"]).default("15"),
    )
    .option("--seed <n>", "seed for cases, loads and noise", wholeNumber(0, 2 ** 31 - 1), 1)
    .option(
      "--before <s>",
      "mean seconds of the fault-free window; the place of the fault is drawn",
      wholeNumber(60, 1500),
      600,
    )
    .option("--after <s>", "mean seconds of the faulty window", wholeNumber(60, 1500), 600)
    .addOption(
      new Option(
        "--noise <kind>",
        "sampling: requests, failures and latencies vary as those of finitely many requests do; none: exact numbers of the simulation",
      )
        .choices(["sampling", "none"])
        .default("sampling"),
    )
    .option("--metrics-only", "leave out logs and traces, most of the size", false)
    .option(
      "--workers <n>",
      "cases that are made at once; the files do not depend on it",
      wholeNumber(1, mostWorkers),
      Math.min(mostWorkers, availableParallelism()),
    )
    .addOption(catalogueOption(context))
    .addHelpText(
      "after",
      `
Examples:
  microremed dataset --suite random@1 --incidents 50 --out data/shop
  microremed dataset --suite random@1 --environment online-boutique,train-ticket --incidents 200 --step 1 --out data/both

Needs no range. docs/datasets.md explains the files.`,
    )
    .action((options: Options) => dataset(context, options));
}

async function dataset(context: Context, options: Options): Promise<void> {
  const { signal, terminal } = context;
  const { suite, environment, incidents, out, seed, before, after, noise, metricsOnly, workers } = options;
  const catalogue = await catalogueOf(context, options);
  const recipe: Recipe = {
    ...{ suite, environments: environment, incidents, several: options.several, seed, noise, metricsOnly },
    faultFree: options.faultFree ?? Math.round(incidents / 4),
    stepSeconds: options.step === "1" ? 1 : 15,
    ...{ beforeSeconds: before, afterSeconds: after },
  };
  const order: WorkerOrder = { recipe, directory: out, catalogues: options.catalogue };
  await using making = startThreads<PlannedCase, CaseResult>(program, workers, order, signal);
  const { cases, skipped } = await generateDataset(recipe, {
    ...{ directory: out, catalogue, workers, make: making.make, signal },
    progress: (done, total, reasons) => {
      if (reasons) terminal.say(`case skipped: ${reasons.join("; ")}`);
      if (done % 10 === 0 || done === total) terminal.say(`${done} of ${total} cases done`);
    },
  });
  const without = skipped.length > 0 ? ` (${skipped.length} skipped)` : "";
  terminal.say(`${counted(cases.length, "case")}${without} in ${out}, described in README.md`);
}
