import { join } from "node:path";
import { canDoAll, type Solver, solverOf } from "@microremed/catalogue";
import {
  ExperimentRequest,
  type ExperimentRequestInput,
  isSessionModel,
  noModel,
} from "@microremed/contracts";
import { counted, terminal } from "@microremed/core";
import { leftOutOf, problemsOf, tasksIn } from "@microremed/planner";
import type { RangeClient } from "@microremed/range-client";
import type { Catalogue } from "@microremed/registry";
import { Command, Option } from "commander";
import { agentOf, methodFor } from "../agent-option.ts";
import { type CatalogueOptions, catalogueOf, catalogueOption } from "../catalogue.ts";
import { checkNames } from "../check-names.ts";
import { type RangeOptions, rangeOption, timeScaleOption } from "../choose-range.ts";
import { claimDirectory } from "../claim-directory.ts";
import { connectClient } from "../client.ts";
import { findConnection } from "../connection.ts";
import type { Context } from "../context.ts";
import { startLocalRange } from "../local-range.ts";
import { type ReportFormat, renderReport, runOutputOption } from "../output.ts";
import { wholeNumber } from "../parse-number.ts";
import { askModels, preflightOption } from "../preflight.ts";
import { requestOptionNames, suiteOnOf, withRequestOptions } from "../request-options.ts";
import { resumeRun } from "../resume-run.ts";
import { exitCodeOf, type RunResult, runExperiment } from "../run-experiment.ts";
import { type RunOptions, runRequest } from "../run-request.ts";
import { prepareDirectory } from "../save-episodes.ts";
import { readSavedRun } from "../saved-run.ts";
import { submitOrThrow } from "../submit.ts";
import { telemetryFolder } from "../telemetry-folder.ts";

interface Options extends RunOptions, CatalogueOptions, RangeOptions {
  readonly savePath?: string;
  readonly manifestPath?: string;
  readonly cassette?: string;
  readonly telemetry?: boolean;
  readonly agent?: string;
  readonly resume?: string;
  readonly preflight: boolean;
  readonly bounds: boolean;
  readonly timeScale: number;
  readonly output: ReportFormat;
}

/** A policy that acts at random, and one that knows every repair. */
const bounds = ["reference/random", "reference/runbook"];

export function runCommand(context: Context): Command {
  return withRequestOptions(new Command("run"))
    .option(
      "--save-path <dir>",
      "directory to which each episode is written, as a JSON file, as soon as it ends",
    )
    .addOption(
      new Option(
        "--resume <dir>",
        "continue the experiment saved there: run the episodes that are missing or ended as harness errors, and report on all",
      ).conflicts([...requestOptionNames, "savePath", "bounds"]),
    )
    .option(
      "--telemetry",
      "also save the metrics, traces and logs of each episode in the directory of --save-path or --resume, for `telemetry export`",
    )
    .option("--manifest-path <folder>", "folder of an environment to use instead of the registered one")
    .option(
      "--cassette <dir>",
      "answer from the saved episodes of an earlier run (its --save-path); calls no model and needs no key",
    )
    .option(
      "--bounds",
      "also run reference/random and reference/runbook on the same cases: the floor and the ceiling beside each result",
      false,
    )
    .addOption(preflightOption())
    .option("--arenas <n>", "number of arenas used at once", wholeNumber(1, 64), 4)
    .addOption(timeScaleOption(60))
    .addOption(rangeOption())
    .addOption(catalogueOption(context))
    .addOption(runOutputOption())
    .addHelpText(
      "after",
      `
Examples:
  microremed run --env online-boutique --experiment-path easy@1
  microremed run --env simple-micro --experiment-path easy@1 --model reference/runbook --seed 1 --output json
  microremed run --env online-boutique --model gpt-4.1 --model reference/runbook --method ThinkRemed --method SoloGen --repeats 3
  microremed run --env online-boutique --failure cpu-stress --target cartservice
  microremed run --suite range@3 --task detection --agent reference/expert
  microremed run --suite range@3 --env simple-micro --experiments 12 --agent reference/expert
  microremed run --problem range@1/simple-micro-calm-01-detection --agent ReAct/gpt-4.1
  microremed run --env online-boutique --experiment-path cpu-stress --method Human --playbook fix.yml
  microremed run --env online-boutique --model gpt-4.1 --budget tokens=200000 --budget cost=0.5
  microremed run --env online-boutique --model gpt-4.1 --cassette runs/a
  microremed run --env online-boutique --report symptoms --concealment neutral --persistence rearm --bounds --model gpt-4.1
  microremed run --resume runs/a
  microremed run --env train-ticket --experiments 20 --remediate-method SoloGen --model gpt-4.1 --save-path runs/a`,
    )
    .action(async (given: Options, command: Command) => {
      const catalogue = await catalogueOf(context, given);
      const isMethodGiven = command.getOptionValueSource("remediateMethod") !== "default";
      const needed = isMethodGiven ? undefined : methodFor(given.model);
      const options = {
        ...given,
        ...suiteOnOf(given, command),
        ...(needed !== undefined && { remediateMethod: [needed] }),
        ...agentOf(given.agent, catalogue.agents),
      };
      const solvers = options.remediateMethod.map((name) => solverOf(catalogue.agents.get(name)));
      for (const name of options.task) catalogue.tasks.get(name);
      const isModelGiven = options.agent !== undefined || command.getOptionValueSource("model") !== "default";
      const asked = isModelGiven ? options.model : (modelOf(solvers) ?? options.model);
      const model = options.bounds ? [...new Set([...asked, ...bounds])] : asked;
      process.exitCode = await run(context, { ...options, model }, catalogue);
    });
}

/** The name of the model where none is called. */
function modelOf(solvers: readonly Solver[]): string[] | undefined {
  if (solvers.includes("model")) return undefined;
  return [solvers.includes("person") ? "human" : noModel];
}

async function run(context: Context, options: Options, catalogue: Catalogue): Promise<number> {
  assertTelemetry(context, options);
  if (options.resume !== undefined) return await resume(context, options.resume, options, catalogue);
  const request = await runRequest(options, catalogue);
  sayWhatIsLeftOut(options, request, catalogue, context.terminal);
  if (options.savePath !== undefined) await prepareDirectory(options.savePath, undefined, options);
  await using resources = new AsyncDisposableStack();
  const isLocal = options.cassette !== undefined || options.range !== undefined;
  const running = isLocal ? undefined : findConnection(context.env);
  const client = running
    ? resources.use(await connectClient(running, context.log))
    : await ownRange(context, options, request, catalogue, resources);
  if (options.preflight && options.cassette === undefined)
    await askModels(client, request, catalogue.agents, context.terminal);
  const experimentId = await submitOrThrow(client, request);
  context.terminal.say(
    `experiment ${experimentId}: ${options.remediateMethod.join(", ")} with ${options.model.join(", ")} on ${subjectOf(options)}`,
  );
  const { savePath } = options;
  const result = await runExperiment(context, client, [{ experimentId }], { savePath });
  return finish(context, result, options, savePath);
}

/** Telemetry is saved by the range's own services, beside the episodes. */
function assertTelemetry(context: Context, { telemetry, savePath, resume, range, cassette }: Options): void {
  if (!telemetry) return;
  if (savePath === undefined && resume === undefined)
    throw terminal("invalid-request", "--telemetry needs --save-path: it is saved beside the episodes");
  if (range === undefined && cassette === undefined && findConnection(context.env))
    throw terminal(
      "invalid-request",
      "the services of the running range save telemetry where their TELEMETRY_DIR says; for a range of this command's own pass --range",
    );
}

function subjectOf({ env, suite, suiteOn, problem = [] }: Options): string {
  if (problem.length > 0)
    return problem.length === 1 ? String(problem[0]) : counted(problem.length, "problem");
  if (suite === undefined) return env;
  return suiteOn === undefined ? `the problems of ${suite}` : `the problems of ${suite} on ${suiteOn}`;
}

/** Nothing of a suite is left out without a word, and no task of a method. */
function sayWhatIsLeftOut(
  { suite, suiteOn }: Options,
  request: ExperimentRequestInput,
  catalogue: Catalogue,
  { say }: Pick<Context["terminal"], "say">,
): void {
  const full = ExperimentRequest.parse(request);
  const asked = { method: full.method, task: tasksIn(full, { catalogue }) };
  const { agents, tasks } = catalogue;
  const does = (method: string, task: string) => canDoAll(agents.get(method), tasks.get(task));
  for (const line of leftOutOf(asked, { does })) say(line);
  if (suite === undefined || request.problems === undefined) return;
  const isOn = ({ environment }: { readonly environment: string }) =>
    suiteOn === undefined || environment === suiteOn;
  const run = problemsOf({ problems: suite, seed: 0 }, catalogue).filter(isOn).length;
  const all = catalogue.problems.of(suite).filter(isOn).length;
  if (run < all)
    say(
      `${run} of the ${all} problems of ${suite} can be run here; \`microremed problems list ${suite}\` says what the others lack`,
    );
}

/** What an earlier run in a directory has left undone. */
async function resume(
  context: Context,
  directory: string,
  options: Options,
  catalogue: Catalogue,
): Promise<number> {
  const saved = await readSavedRun(directory, catalogue, options.manifestPath);
  await claimDirectory(directory);
  const range = options.range ?? saved.range;
  await using resources = new AsyncDisposableStack();
  const isLocal = options.cassette !== undefined || options.range !== undefined;
  const running = isLocal ? undefined : findConnection(context.env);
  const open = async () =>
    running
      ? resources.use(await connectClient(running, context.log))
      : await ownRange(
          context,
          { ...options, seed: saved.request.seed, ...(range && { range }) },
          saved.request,
          catalogue,
          resources,
        );
  if (saved.range !== undefined && options.range !== undefined && options.range !== saved.range)
    context.terminal.say(
      `the saved episodes ran on a range of the kind ${saved.range}, the others run on one of the kind ${options.range}: the report is of both`,
    );
  if (saved.request.model.some(isSessionModel)) sayWhoPlays(context, directory, running !== undefined);
  const check = async (client: RangeClient, request: ExperimentRequestInput): Promise<void> => {
    if (options.preflight && options.cassette === undefined)
      await askModels(client, request, catalogue.agents, context.terminal);
  };
  const result = await resumeRun(context, directory, saved, { open, check });
  return finish(context, result, options, directory);
}

/** Only the agent itself can go on with what an agent outside of the range has begun. */
function sayWhoPlays({ terminal: { say } }: Context, directory: string, isRunning: boolean): void {
  const how = `microremed agent run --resume ${directory} -- <command>`;
  if (!isRunning)
    throw terminal(
      "invalid-request",
      `the episodes in ${directory} are of an agent outside of the range; continue an \`agent run\` with its program: ${how}`,
    );
  say(`an outside agent is to join this experiment; a program is started by ${how}`);
}

function finish(
  { terminal }: Context,
  result: RunResult,
  options: Pick<Options, "output" | "catalogue">,
  savePath: string | undefined,
): number {
  const { report, interrupted, lost } = result;
  if (savePath !== undefined)
    terminal.say(`${counted(report.episodes.length - lost, "episode")} saved in ${savePath}`);
  if (interrupted)
    terminal.say(
      `interrupted: the report is of ${counted(report.episodes.length, "episode")}, which had ended`,
    );
  if (interrupted && savePath !== undefined) {
    const folders = (options.catalogue ?? []).map((folder) => ` --catalogue ${folder}`).join("");
    terminal.say(`the others: microremed run --resume ${savePath}${folders}`);
  }
  terminal.print(renderReport(report, options.output, terminal.width));
  return exitCodeOf(result);
}

/** A local range that ends with the command. */
async function ownRange(
  context: Context,
  options: Options,
  request: ExperimentRequestInput,
  catalogue: Catalogue,
  resources: AsyncDisposableStack,
): Promise<RangeClient> {
  const { agents } = catalogue;
  if (options.playbook === undefined && options.remediateMethod.some((name) => agents.get(name).byHand)) {
    const message =
      "this method needs a person: pass --playbook FILE, or start a range with `microremed up` and use `microremed answer`";
    throw terminal("invalid-request", message);
  }
  await checkNames(request, catalogue, options, context.env);
  const { arenas, timeScale, seed, manifestPath, cassette, range, telemetry } = options;
  const saved = options.savePath ?? options.resume;
  const started = resources.use(
    await startLocalRange(context, {
      ...(telemetry && saved !== undefined && { telemetry: join(saved, telemetryFolder) }),
      ...{ arenas, timeScale, seed, manifestPath, cassette },
      catalogue: options.catalogue,
      ...(range && { range }),
    }),
  );
  return started.client;
}
