import { join } from "node:path";
import {
  auditable,
  auditDocument,
  auditTable,
  planAudit,
  type RunEpisode,
  runAudit,
} from "@microremed/audit";
import type { Environment } from "@microremed/catalogue";
import type { RangeClient } from "@microremed/range-client";
import type { Catalogue } from "@microremed/registry";
import { Command } from "commander";
import { type CatalogueOptions, catalogueOf, catalogueOption } from "../catalogue.ts";
import { type RangeOptions, rangeOption } from "../choose-range.ts";
import { connectClient } from "../client.ts";
import { findConnection } from "../connection.ts";
import type { Context } from "../context.ts";
import { untilFinished } from "../follow.ts";
import { startLocalRange } from "../local-range.ts";
import { outputOption } from "../output.ts";
import { wholeNumber } from "../parse-number.ts";
import { saveEpisode } from "../save-episodes.ts";
import { submitOrThrow } from "../submit.ts";

interface Options extends CatalogueOptions, RangeOptions {
  readonly env: string;
  readonly failures?: string;
  readonly runs: number;
  readonly seed: number;
  readonly arenas: number;
  readonly timeScale: number;
  readonly savePath?: string;
  readonly output: "table" | "json";
}

export function auditCommand(context: Context): Command {
  return new Command("audit")
    .option("--env <name>", "environment (see `microremed environments`)", "online-boutique")
    .option("--failures <names>", "comma-separated; default: all that have a target there")
    .option("--runs <n>", "runs of each failure: half shortcuts, half repairs", wholeNumber(1, 10_000), 20)
    .option("--seed <n>", "seed for targets and remedies", wholeNumber(0, 100_000), 1)
    .option("--arenas <n>", "number of concurrent episodes", wholeNumber(1, 64), 8)
    .option("--time-scale <n>", "speed of embedded clusters", wholeNumber(1, 1000), 100)
    .option("--save-path <dir>", "write every episode there")
    .addOption(rangeOption())
    .addOption(catalogueOption(context))
    .addOption(outputOption())
    .addHelpText(
      "after",
      "\nStarts a local range when NATS_URL is not set. docs/scoring.md explains the two verdicts.",
    )
    .action((options: Options) => audit(context, options));
}

async function audit(context: Context, options: Options): Promise<void> {
  const { env, runs, seed, arenas } = options;
  const catalogue = await catalogueOf(context, options);
  const environment = catalogue.environments.get(env);
  const failures = failuresOf(context, options, catalogue, environment);
  const planned = planAudit(catalogue, environment, failures, runs, seed);
  await using resources = new AsyncDisposableStack();
  const running = options.range === undefined ? findConnection(context.env) : undefined;
  const client = running
    ? resources.use(await connectClient(running, context.log))
    : resources.use(await startLocalRange(context, options)).client;
  const startedAt = Date.now();
  const outcome = await runAudit(episodesOver(client, context.signal, options.savePath), planned, {
    environment: env,
    parallel: arenas,
    signal: context.signal,
    progress: (done, run, why) => {
      if (why !== undefined)
        context.terminal.say(`${run.failure} on ${run.target}, ${run.remedy.name}: ${why}`);
      if (done % 20 === 0 || done === planned.length)
        context.terminal.say(`${done} of ${planned.length} runs done`);
    },
  });
  const heading = { environment: env, runs, seed, seconds: (Date.now() - startedAt) / 1000 };
  context.terminal.print(
    options.output === "json"
      ? JSON.stringify(auditDocument(heading, outcome), null, 2)
      : auditTable(heading, outcome),
  );
}

function failuresOf(
  { terminal }: Context,
  { failures: named }: Options,
  catalogue: Catalogue,
  environment: Environment,
): readonly string[] {
  if (named !== undefined) return named.split(",").map((name) => catalogue.faults.get(name.trim()).name);
  const { failures, withoutTarget } = auditable(catalogue, environment);
  if (withoutTarget.length > 0)
    terminal.say(`left out, for ${environment.name} has no target for them: ${withoutTarget.join(", ")}`);
  return failures;
}

/** Runs each episode on the range; `savePath`: where it is stored, in a directory of its own. */
export function episodesOver(client: RangeClient, signal: AbortSignal, savePath?: string): RunEpisode {
  return async (request, run) => {
    const id = await submitOrThrow(client, request);
    await untilFinished(client, id, signal);
    const { experiment, episodes } = await client.experiment(id);
    const [record] = episodes;
    if (savePath !== undefined && record) {
      const directory = join(savePath, `${run.failure}-${run.remedy.name}-${run.seed}`);
      await saveEpisode(directory, experiment, record, await client.conversation(record.id));
    }
    return record;
  };
}
