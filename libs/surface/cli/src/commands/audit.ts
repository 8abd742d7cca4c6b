import { join } from "node:path";
import {
  type AuditRun,
  auditable,
  auditDocument,
  auditTable,
  auditTasks,
  isAsExpected,
  openResults,
  planAudit,
  playbookIn,
  type RunEpisode,
  runAudit,
  runInAnyArena,
  type Setting,
  settings,
  taskAuditTable,
} from "@microremed/audit";
import { type Environment, shortcutsOf } from "@microremed/catalogue";
import type { ExperimentRequestInput } from "@microremed/contracts";
import { harnessVersion, likelyNames, terminal } from "@microremed/core";
import type { FullExperiment, RangeClient } from "@microremed/range-client";
import type { Catalogue } from "@microremed/registry";
import { type CorpusRemedy, readCorpus } from "@microremed/remedies";
import { Command, InvalidArgumentError, Option } from "commander";
import { type CatalogueOptions, catalogueOf, catalogueOption } from "../catalogue.ts";
import { type RangeOptions, rangeOption, timeScaleOption } from "../choose-range.ts";
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
  readonly env: readonly string[];
  readonly suite?: readonly string[];
  readonly failures?: readonly string[];
  readonly remedies?: readonly string[];
  readonly concealment?: Setting["concealment"];
  readonly persistence?: Setting["persistence"];
  readonly runs: number;
  readonly seed: number;
  readonly arenas: number;
  readonly timeScale: number;
  readonly soak: number;
  readonly savePath?: string;
  readonly results?: string;
  readonly shard?: Shard;
  readonly output: "table" | "json";
}

/** One of several parts of an audit, from 1. */
interface Shard {
  readonly number: number;
  readonly of: number;
}

const names = (text: string): string[] => text.split(",").map((name) => name.trim());

export function auditCommand(context: Context): Command {
  return new Command("audit")
    .option("--env <names>", "comma-separated environments, or all", names, ["online-boutique"])
    .addOption(
      new Option(
        "--suite <names>",
        "audit the tasks instead: answers of which it is known what they score are graded on every problem of these comma-separated suites, or all",
      )
        .argParser(names)
        .conflicts([
          "env",
          "failures",
          "remedies",
          "concealment",
          "persistence",
          "runs",
          "results",
          "shard",
          "range",
        ]),
    )
    .option(
      "--failures <names>",
      "comma-separated failures; default: all that have a target in the environment",
      names,
    )
    .option("--remedies <names>", "comma-separated remedies; default: all that apply to the failure", names)
    .addOption(
      new Option(
        "--concealment <kind>",
        "none: agents can see the object that causes the fault; neutral: they cannot; default: both in turn",
      ).choices(["none", "neutral"]),
    )
    .addOption(
      new Option(
        "--persistence <kind>",
        "once: the fault is injected once; rearm: new pods get it again until it is ended for good; default: both in turn",
      ).choices(["once", "rearm"]),
    )
    .option(
      "--runs <n>",
      "runs of each failure in each environment; half are repairs, half are not",
      wholeNumber(1, 10_000),
      20,
    )
    .option("--seed <n>", "seed for targets and remedies", wholeNumber(0, 100_000), 1)
    .option("--arenas <n>", "number of concurrent episodes", wholeNumber(1, 64), 8)
    .addOption(timeScaleOption(100))
    .option(
      "--soak <s>",
      "seconds of cluster time from a recovery until everything is checked again",
      wholeNumber(0, 7200),
      600,
    )
    .option("--save-path <dir>", "directory to which every episode is written")
    .option(
      "--results <file>",
      "file to which every result is added; runs whose results it already has are skipped",
    )
    .option(
      "--shard <i/n>",
      "run only every n-th run, starting with the i-th; with the same --results file, several processes share an audit",
      shard,
    )
    .addOption(rangeOption())
    .addOption(catalogueOption(context))
    .addOption(outputOption())
    .addHelpText(
      "after",
      "\nStarts a local range if none is running, and always with --range. docs/scoring.md explains the verdicts and the corpus of remedies. With --suite nothing is deployed; exit code 1: an answer scored something else than arithmetic says.",
    )
    .action((options: Options) =>
      options.suite === undefined ? audit(context, options) : auditSuites(context, options, options.suite),
    );
}

async function auditSuites(context: Context, options: Options, named: readonly string[]): Promise<void> {
  const catalogue = await catalogueOf(context, options);
  const all = named.length === 1 && named[0] === "all";
  const done = await auditTasks(catalogue, all ? catalogue.problems.suites : named, options.seed);
  context.terminal.print(
    options.output === "json" ? JSON.stringify(done, null, 2) : taskAuditTable(done, context.terminal.width),
  );
  if (!isAsExpected(done)) process.exitCode = 1;
}

async function audit(context: Context, options: Options): Promise<void> {
  const { runs, seed, arenas } = options;
  const catalogue = await catalogueOf(context, options);
  const all = options.env.length === 1 && options.env[0] === "all";
  const environments = all ? catalogue.environments.all() : options.env.map(catalogue.environments.get);
  const corpus = corpusOf(options, catalogue);
  const planned = partOf(options.shard, runsOf(context, options, catalogue, corpus, environments));
  const results =
    options.results === undefined ? undefined : await openResults(options.results, harnessVersion);
  await using resources = new AsyncDisposableStack();
  const needsRange = planned.some((run) => results?.find(run) === undefined);
  const playbookFor: PlaybookFor = (run, namespace) =>
    playbookIn(
      { catalogue, corpus, environment: catalogue.environments.get(run.environment) },
      run,
      namespace,
    );
  const runEpisode = needsRange ? await rangeFor(context, options, resources, playbookFor) : nothingToRun;
  const startedAt = Date.now();
  const outcome = await runAudit(runEpisode, planned, {
    parallel: arenas,
    signal: context.signal,
    soakSeconds: options.soak,
    results,
    progress: (done, run, why) => {
      if (why !== undefined)
        context.terminal.say(
          `${run.failure} on ${run.environment}/${run.target}, ${run.remedy.name} (${run.concealment}, ${run.persistence}, seed ${run.seed}): ${why}`,
        );
      if (done % 20 === 0 || done === planned.length)
        context.terminal.say(`${done} of ${planned.length} runs done`);
    },
  });
  const heading = {
    environments: environments.map(({ name }) => name),
    ...{ runs, seed, seconds: (Date.now() - startedAt) / 1000 },
  };
  context.terminal.print(
    options.output === "json"
      ? JSON.stringify(auditDocument(heading, outcome), null, 2)
      : auditTable(heading, outcome, context.terminal.width),
  );
}

const nothingToRun: RunEpisode = async () => undefined;

async function rangeFor(
  context: Context,
  options: Options,
  resources: AsyncDisposableStack,
  playbookFor: PlaybookFor,
): Promise<RunEpisode> {
  const running = options.range === undefined ? findConnection(context.env) : undefined;
  const client = running
    ? resources.use(await connectClient(running, context.log))
    : resources.use(await startLocalRange(context, options)).client;
  const hasSeveral = (await client.clusters()).some(({ arenas }) => arenas.length > 1);
  return episodesOver(client, context.signal, {
    ...(options.savePath !== undefined && { savePath: options.savePath }),
    ...(hasSeveral && { playbookFor }),
  });
}

function corpusOf(
  { catalogue: dirs }: Options,
  { faults, environments }: Catalogue,
): readonly CorpusRemedy[] {
  return readCorpus(dirs, { faults: faults.names, environments: environments.names });
}

/** Every environment's runs. Throws for names that mean nothing, and when there is nothing to try. */
function runsOf(
  context: Context,
  options: Options,
  catalogue: Catalogue,
  corpus: readonly CorpusRemedy[],
  environments: readonly Environment[],
): AuditRun[] {
  checkRemedies(options.remedies, catalogue, corpus);
  const chosen = settings.filter(
    ({ concealment, persistence }) =>
      concealment === (options.concealment ?? concealment) &&
      persistence === (options.persistence ?? persistence),
  );
  return environments.flatMap((environment) =>
    planAudit({
      ...{ catalogue, corpus, environment, runs: options.runs, seed: options.seed, settings: chosen },
      failures: failuresOf(context, options, catalogue, environment),
      ...(options.remedies && { remedies: options.remedies }),
    }),
  );
}

function checkRemedies(
  asked: readonly string[] = [],
  { faults }: Catalogue,
  corpus: readonly CorpusRemedy[],
): void {
  const known = new Set([
    ...corpus.map(({ name }) => name),
    ...faults.all().flatMap((fault) => [...fault.repairs, ...shortcutsOf(fault)].map(({ name }) => name)),
  ]);
  const unknown = asked.find((name) => !known.has(name));
  if (unknown !== undefined)
    throw terminal(
      "unknown-entry",
      `there is no remedy ${JSON.stringify(unknown)}; ${likelyNames(unknown, [...known])}`,
    );
}

function failuresOf(
  { terminal }: Context,
  { failures: named }: Options,
  catalogue: Catalogue,
  environment: Environment,
): readonly string[] {
  if (named !== undefined) return named.map((name) => catalogue.faults.get(name).name);
  const { failures, withoutTarget } = auditable(catalogue, environment);
  if (withoutTarget.length > 0)
    terminal.say(`left out, for ${environment.name} has no target for them: ${withoutTarget.join(", ")}`);
  return failures;
}

/** For commander: `2/3`. */
function shard(text: string): Shard {
  const [, number = 0, of = 0] = (/^(\d{1,3})\/(\d{1,3})$/.exec(text) ?? []).map(Number);
  if (number < 1 || number > of) throw new InvalidArgumentError("expected a part and their number, e.g. 1/2");
  return { number, of };
}

const partOf = (part: Shard | undefined, runs: readonly AuditRun[]): readonly AuditRun[] =>
  part === undefined ? runs : runs.filter((_, index) => index % part.of === part.number - 1);

/** The playbook of a run for an arena's namespace. */
type PlaybookFor = (run: AuditRun, namespace: string) => string;

interface EpisodesOptions {
  /** Where every episode is stored, in a directory of its own. */
  readonly savePath?: string;
  /** Where clusters have several arenas, and so several namespaces. Absent: the planned playbook fits every arena. */
  readonly playbookFor?: PlaybookFor;
}

/** Runs each episode on the range. */
export function episodesOver(
  client: RangeClient,
  signal: AbortSignal,
  { savePath, playbookFor }: EpisodesOptions = {},
): RunEpisode {
  return async (request, run) => {
    const { experiment, episodes } = playbookFor
      ? await runInAnyArena(client, request, (namespace) => playbookFor(run, namespace), signal)
      : await runToItsEnd(client, request, signal);
    const [record] = episodes;
    if (savePath !== undefined && record) {
      const { environment, failure, remedy, concealment, persistence, seed } = run;
      const name = [environment, failure, remedy.name, concealment, persistence, seed].join("-");
      await saveEpisode(join(savePath, name), experiment, record, await client.conversation(record.id));
    }
    return record;
  };
}

async function runToItsEnd(
  client: RangeClient,
  request: ExperimentRequestInput,
  signal: AbortSignal,
): Promise<FullExperiment> {
  const id = await submitOrThrow(client, request);
  await untilFinished(client, id, signal);
  return client.experiment(id);
}
