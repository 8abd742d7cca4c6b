import {
  Concealment,
  defaultTask,
  type ExperimentRequestInput,
  Feedback,
  Persistence,
  ReportKind,
  VerdictName,
} from "@microremed/contracts";
import { terminal } from "@microremed/core";
import type { RangeClient } from "@microremed/range-client";
import type { Catalogue } from "@microremed/registry";
import { Command, Option } from "commander";
import { type CatalogueOptions, catalogueOf, catalogueOption } from "../catalogue.ts";
import { checkNames } from "../check-names.ts";
import { type RangeOptions, rangeOption } from "../choose-range.ts";
import { connectClient } from "../client.ts";
import { collectReport } from "../collect.ts";
import { findConnection } from "../connection.ts";
import type { Context } from "../context.ts";
import { exitCodes } from "../exit-codes.ts";
import { followExperiments } from "../follow.ts";
import { startLocalRange } from "../local-range.ts";
import { outputOption, type ReportFormat, renderReport } from "../output.ts";
import { wholeNumber, yesOrNo } from "../parse-number.ts";
import { askModels, preflightOption } from "../preflight.ts";
import { type RunOptions, runRequest } from "../run-request.ts";
import { submitOrThrow } from "../submit.ts";

interface Options extends RunOptions, CatalogueOptions, RangeOptions {
  readonly savePath?: string;
  readonly manifestPath?: string;
  readonly cassette?: string;
  readonly preflight: boolean;
  readonly timeScale: number;
  readonly output: ReportFormat;
}

export function runCommand(context: Context): Command {
  return new Command("run")
    .option("--env <name>", "environment (see `microremed environments`)", "simple-micro")
    .addOption(
      several("--model <name>", "model (see `microremed models`); may be repeated", "reference/runbook"),
    )
    .addOption(
      several(
        "--method, --remediate-method <name>",
        "method (see `microremed methods`); may be repeated: every model runs with every method",
        "ThinkRemed",
      ),
    )
    .addOption(
      several(
        "--task <name>",
        "task for the agent: mitigation, detection, ...; may be repeated",
        defaultTask,
      ),
    )
    .option("--repeats <n>", "runs of every case, for pass^k", wholeNumber(1, 100), 1)
    .addOption(
      new Option(
        "--experiment-path <suite|file>",
        "a suite (easy, medium, hard, <name>@<version>), a failure's name, or a file with one failure per line",
      ).conflicts("experiments"),
    )
    .option(
      "--experiments <n>",
      "number of cases to draw at random when no --experiment-path is given",
      wholeNumber(1, 100_000),
      100,
    )
    .addOption(choice("--report <kind>", "content of the diagnosis report", ReportKind, "oracle"))
    .addOption(choice("--feedback <kind>", "what the agent receives after an attempt", Feedback, "oracle"))
    .addOption(
      choice("--verdict <name>", "the verdict that `--feedback oracle` reports", VerdictName, "strict"),
    )
    .addOption(
      choice("--concealment <kind>", "whether the agent can find the fault's cause", Concealment, "none"),
    )
    .addOption(choice("--persistence <kind>", "whether a new pod is a repair", Persistence, "once"))
    .option("--policy <name>", "policy for playbooks (see `microremed policies`)", "guarded")
    .option("--namespace <name>", "namespace of the arenas; default: the environment's")
    .option(
      "--wait-interval <seconds>",
      "time between two checks of a condition that cannot be watched",
      wholeNumber(1, 300),
      10,
    )
    .option(
      "--injection-timeout <seconds>",
      "time limit for an injected failure to show its symptom",
      wholeNumber(1, 3600),
      30,
    )
    .option("--save-path <dir>", "write one JSON file per episode to this directory")
    .option("--manifest-path <file>", "environment file to use instead of the registered one")
    .option("--enable-strict-restart [bool]", "redeploy the environment before every episode", yesOrNo, false)
    .option("--seed <n>", "seed for targets and random draws", wholeNumber(0, 2 ** 31 - 1), 1)
    .option("--max-attempts <n>", "maximum attempts of the agent per episode (T_max)", wholeNumber(1, 20), 2)
    .addOption(
      several(
        "--budget <name=number>",
        "limit per episode: probeRounds, toolCalls, tokens, seconds or cost (US dollars); may be repeated",
      ),
    )
    .option("--playbook <file>", "for the method Human: run this playbook in every attempt")
    .option(
      "--cassette <dir>",
      "answer from the saved episodes of an earlier run (its --save-path); calls no model and needs no key",
    )
    .addOption(preflightOption())
    .option("--arenas <n>", "number of arenas used at once", wholeNumber(1, 64), 4)
    .option(
      "--time-scale <n>",
      "speed of embedded clusters' time while a client waits for them",
      wholeNumber(1, 1000),
      60,
    )
    .addOption(rangeOption())
    .addOption(catalogueOption(context))
    .addOption(outputOption())
    .addHelpText(
      "after",
      `
Examples:
  microremed run --env online-boutique --experiment-path easy
  microremed run --env simple-micro --experiment-path easy --model reference/runbook --seed 1 --output json
  microremed run --env online-boutique --model gpt-4.1 --model reference/runbook --method ThinkRemed --method SoloGen --repeats 3
  microremed run --env online-boutique --experiment-path cpu-stress --method Human --playbook fix.yml
  microremed run --env online-boutique --model gpt-4.1 --budget tokens=200000 --budget cost=0.5
  microremed run --env online-boutique --model gpt-4.1 --cassette runs/a
  microremed run --env train-ticket --experiments 20 --remediate-method SoloGen --model gpt-4.1 --save-path runs/a`,
    )
    .action(async (options: Options, command: Command) => {
      const catalogue = await catalogueOf(context, options);
      const byHand = options.remediateMethod.every((name) => catalogue.agents.get(name).byHand);
      const isModelGiven = command.getOptionValueSource("model") !== "default";
      const model = byHand && !isModelGiven ? ["human"] : options.model;
      process.exitCode = await run(context, { ...options, model }, catalogue);
    });
}

/** An option that may be given several times. */
function several(flags: string, description: string, ...usual: readonly string[]): Option {
  return new Option(flags, description)
    .default(usual)
    .argParser((value: string, before: readonly string[]) =>
      before === usual ? [value] : [...before, value],
    );
}

function choice(
  flags: string,
  description: string,
  of: { options: readonly string[] },
  usual: string,
): Option {
  return new Option(flags, description).choices(of.options).default(usual);
}

async function run(context: Context, options: Options, catalogue: Catalogue): Promise<number> {
  const request = await runRequest(options, catalogue);
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
    `experiment ${experimentId}: ${options.remediateMethod.join(", ")} with ${options.model.join(", ")} on ${request.environment}`,
  );
  const [status] = await followExperiments(client, [experimentId], context.terminal, context.signal);
  const report = await collectReport(client, experimentId, options.savePath);
  if (options.savePath !== undefined) context.terminal.say(`episodes saved in ${options.savePath}`);
  context.terminal.print(renderReport(report, options.output));
  return (status === "completed" ? exitCodes.ok : exitCodes.cancelled).code;
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
  const { arenas, timeScale, seed, manifestPath, cassette, range } = options;
  const started = resources.use(
    await startLocalRange(context, {
      ...{ arenas, timeScale, seed, manifestPath, cassette },
      catalogue: options.catalogue,
      ...(range && { range }),
    }),
  );
  return started.client;
}
