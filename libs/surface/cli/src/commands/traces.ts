import { availableParallelism } from "node:os";
import { defaultTask } from "@microremed/contracts";
import {
  buildTraces,
  type CaseTraces,
  reasons,
  type TraceCase,
  type TraceRecipe,
} from "@microremed/gym/traces";
import { Command, Option } from "commander";
import { type CatalogueOptions, catalogueOf, catalogueOption } from "../catalogue.ts";
import type { Context } from "../context.ts";
import { wholeNumber } from "../parse-number.ts";
import { startThreads } from "../start-threads.ts";
import type { WorkerOrder } from "../traces/worker.ts";

interface Options extends CatalogueOptions {
  readonly suite: string;
  readonly environment: readonly string[];
  readonly n: number;
  readonly out: string;
  readonly seed: number;
  readonly perCase: number;
  readonly soak: number;
  readonly acting: TraceRecipe["acting"];
  readonly tasks: readonly string[];
  readonly controls: number;
  readonly workers: number;
}

/** Each has a catalogue and clusters in memory, some 400 MB. */
const mostWorkers = 64;
/** Between two lines of progress, ms. */
const progressMs = 10_000;
const program = new URL("../traces/worker.ts", import.meta.url);

const names = (text: string): string[] => text.split(",").map((name) => name.trim());

/** `microremed traces`: examples for the fine-tuning of models. */
export function tracesCommand(context: Context): Command {
  return new Command("traces").addCommand(buildCommand(context));
}

function buildCommand(context: Context): Command {
  return new Command("build")
    .description("let scripted experts repair systems, and write what they did as training data")
    .requiredOption("--suite <name>", "suite or fault whose faults are injected, e.g. range@3")
    .option(
      "--env, --environment <names>",
      "comma-separated systems; three or more are parted by system",
      names,
      ["simple-micro", "online-boutique", "hotel-reservation", "social-network"],
    )
    .requiredOption("--n <n>", "traces that are kept", wholeNumber(1, 1_000_000))
    .requiredOption("--out <dir>", "folder for the traces; a set that was interrupted is continued")
    .option("--seed <n>", "seed for cases, experts and words", wholeNumber(0, 2 ** 31 - 1), 1)
    .option("--per-case <n>", "investigations of each case", wholeNumber(1, 64), 8)
    .option(
      "--soak <s>",
      "cluster seconds after a recovery before everything is checked again; less is faster, and lets delayed damage pass",
      wholeNumber(0, 7_200),
      600,
    )
    .addOption(
      new Option("--acting <how>", "how experts change the system; playbook: one for each attempt")
        .choices(["commands", "playbook", "both"])
        .default("both"),
    )
    .option(
      "--tasks <names>",
      "comma-separated; what experts are asked: mitigation, detection, localization, analysis",
      names,
      [defaultTask],
    )
    .option("--controls <percent>", "cases in which nothing is wrong", wholeNumber(0, 90), 0)
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
Example:
  microremed traces build --suite range@3 --n 1000 --out traces

Needs no range. docs/training-data.md explains the files.`,
    )
    .action((options: Options) => build(context, options));
}

async function build(context: Context, options: Options): Promise<void> {
  const { signal, terminal } = context;
  const { suite, environment, n, out, seed, perCase, soak, acting, tasks, controls, workers } = options;
  const catalogue = await catalogueOf(context, options);
  const recipe: TraceRecipe = {
    ...{ suite, environments: environment, seed, perCase, soakSeconds: soak, acting },
    ...{ tasks, controls },
  };
  const order: WorkerOrder = { recipe, catalogues: options.catalogue };
  await using threads = startThreads<TraceCase, CaseTraces>(program, workers, order, signal);
  const startedAt = Date.now();
  let saidAt = startedAt;
  const tally = await buildTraces(recipe, {
    ...{ count: n, directory: out, catalogue, workers, make: threads.make, signal },
    progress: ({ kept, cases }) => {
      if (Date.now() - saidAt < progressMs) return;
      saidAt = Date.now();
      terminal.say(`${kept} of ${n} traces, from ${cases} cases`);
    },
  });
  const minutes = (Date.now() - startedAt) / 60_000;
  terminal.say(
    `${tally.kept} traces in ${out}, described in README.md; ${Math.round(tally.kept / minutes)} a minute; left out: ${reasons(tally)}`,
  );
}
