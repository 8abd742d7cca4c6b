import type { RangeKind } from "@microremed/contracts";
import { Reveal } from "@microremed/contracts";
import { terminal as refuse } from "@microremed/core";
import type { Catalogue } from "@microremed/registry";
import { Command, Option } from "commander";
import { type CatalogueOptions, catalogueOf, catalogueOption } from "../catalogue.ts";
import { rangeOption, timeScaleOption } from "../choose-range.ts";
import type { Context } from "../context.ts";
import { bridgeStdio } from "../gateway/bridge-stdio.ts";
import { findGateway, type GatewayAccess } from "../gateway/find-gateway.ts";
import { makeToken, usualLimits } from "../gateway/make-token.ts";
import { startLocalRange } from "../local-range.ts";
import { wholeNumber } from "../parse-number.ts";
import { assertSuite } from "../run-request.ts";

interface Options extends CatalogueOptions {
  readonly suite?: string;
  readonly problem?: string;
  readonly experiment?: string;
  readonly env?: string;
  readonly task?: string;
  readonly agent?: string;
  readonly seed?: number;
  readonly reveal: string;
  readonly timeScale: number;
  readonly range?: RangeKind;
}

/** `microremed mcp`: a session as an MCP server over standard input and output. */
export function mcpCommand(context: Context): Command {
  return new Command("mcp")
    .option("--suite <name>", "all problems of a suite that can run here, e.g. microremed@1, easy@1")
    .option("--problem <suite/id>", "one problem (see `microremed problems list`)")
    .option("--experiment <id>", "an experiment that names the agent")
    .option("--env <name>", "of suites of faults, such as easy@1: the system; default: simple-micro")
    .option("--task <name>", "only this task of the problems; default: all that they have")
    .option("--agent <name[@version]>", "name in reports; default: the MCP client's own")
    .option("--seed <n>", "seed for targets and random draws; default: 1", wholeNumber(0, 2 ** 31 - 1))
    .addOption(
      new Option("--reveal <what>", "what the agent gets to know of a problem that is over")
        .choices(Reveal.options)
        .default("outcome"),
    )
    .addOption(timeScaleOption(60))
    .addOption(rangeOption())
    .addOption(catalogueOption(context))
    .addHelpText(
      "after",
      `
Uses the gateway of MICROREMED_URL with MICROREMED_TOKEN, else that of \`microremed up --gateway\` in this directory. Without
either it starts a local range for itself, which ends with it.

Example, in the settings of an MCP client:
  "microremed": { "command": "npx", "args": ["microremed", "mcp", "--suite", "microremed@1"] }`,
    )
    .action((options: Options) => serve(context, options));
}

async function serve(context: Context, options: Options): Promise<void> {
  const { suite, problem, experiment } = options;
  if ([suite, problem, experiment].filter((one) => one !== undefined).length !== 1)
    throw refuse("invalid-request", "say which problems: one of --suite, --problem and --experiment");
  await using started = new AsyncDisposableStack();
  const access = (await findGateway(context, "agent")) ?? (await ownGateway(context, options, started));
  const { say } = context.terminal;
  await bridgeStdio({ access, query: queryOf(options), signal: context.signal, say });
}

function queryOf({
  suite,
  problem,
  experiment,
  env,
  task,
  agent,
  seed,
  reveal,
}: Options): Record<string, string> {
  const given = {
    suite,
    problem,
    experiment,
    environment: env,
    task,
    agent,
    seed,
    reveal: experiment ? undefined : reveal,
  };
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );
}

/** Names that no range could know are refused before one is started. */
function assertKnown(catalogue: Catalogue, { suite, problem, env, task }: Options): void {
  if (suite !== undefined) assertSuite(suite, catalogue);
  if (problem !== undefined) catalogue.problems.get(problem);
  if (env !== undefined) catalogue.environments.get(env);
  if (task !== undefined) catalogue.tasks.get(task);
}

/** A range with a gateway for this process alone. */
async function ownGateway(
  context: Context,
  options: Options,
  started: AsyncDisposableStack,
): Promise<GatewayAccess> {
  const { timeScale, catalogue, range } = options;
  assertKnown(await catalogueOf(context, options), options);
  const local = started.use(
    await startLocalRange(context, {
      ...{ arenas: 1, seed: 1, timeScale, gatewayPort: 0 },
      ...(catalogue && { catalogue }),
      ...(range && { range }),
    }),
  );
  const { gateway } = local;
  if (!gateway) throw refuse("internal", "the range has no gateway");
  const limits = { ...usualLimits, requestsPerMinute: 60_000 };
  const { record, text } = makeToken({ scope: "agent", name: "*", ...limits }, Date.now());
  await gateway.tokens.put(record);
  return { url: gateway.url, token: text };
}
