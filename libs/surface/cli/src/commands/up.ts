import { mkdir } from "node:fs/promises";
import type { RangeKind } from "@microremed/contracts";
import { terminal as refuse } from "@microremed/core";
import type { Stack } from "@microremed/stack";
import { Command, Option } from "commander";
import { type CatalogueOptions, catalogueOf, catalogueOption } from "../catalogue.ts";
import { rangeOption, timeScaleOption } from "../choose-range.ts";
import { stackFile } from "../connection.ts";
import type { Context } from "../context.ts";
import { refuseIfInUse, writeGatewayFile } from "../gateway/gateway-file.ts";
import { tokenFiles, writeLocalTokens } from "../gateway/local-tokens.ts";
import { startLocalRange } from "../local-range.ts";
import { type LocalStackOptions, startLocalStack } from "../local-stack.ts";
import { replicaCounts, wholeNumber } from "../parse-number.ts";
import { untilAborted } from "../until-aborted.ts";

interface Options extends CatalogueOptions {
  readonly arenas: number;
  readonly timeScale: number;
  readonly seed: number;
  readonly replicas: Record<string, number>;
  readonly range?: RangeKind;
  readonly gateway?: number;
}

/** Where the range's files are, the connections and tokens among them. */
const directory = ".microremed";
const usualPort = 7070;

export function upCommand(context: Context): Command {
  return new Command("up")
    .option("--arenas <n>", "number of embedded clusters, one arena each", wholeNumber(1, 64), 4)
    .addOption(timeScaleOption(60))
    .option("--seed <n>", "seed of the embedded clusters", wholeNumber(0, 2 ** 31 - 1), 1)
    .option(
      "--replicas <service=n,...>",
      "replicas of the services, e.g. executor=2,remediator=4",
      replicaCounts,
      {},
    )
    .addOption(
      new Option(
        "--gateway [port]",
        "also start a gateway on this port of 127.0.0.1, and write a token for it; 0: any free port",
      )
        .preset(String(usualPort))
        .argParser(wholeNumber(0, 65_535)),
    )
    .addOption(rangeOption())
    .addOption(catalogueOption(context))
    .addHelpText(
      "after",
      "\nExamples:\n  microremed up --gateway\n  microremed up --arenas 8 --replicas executor=2,verifier=2",
    )
    .action(async (options: Options) => {
      // Says what is wrong or replaced before anything starts.
      await catalogueOf(context, options);
      await using started = new AsyncDisposableStack();
      const lines =
        options.gateway === undefined
          ? howToConnect(started.use(await startStack(context, options)))
          : await startWithGateway(context, { ...options, gatewayPort: options.gateway }, started);
      for (const line of ["", ...lines, "", "Ctrl-C stops everything"]) context.terminal.say(line);
      await untilAborted(context.signal);
      context.terminal.say("stopping");
    });
}

/** A range of processes. */
async function startStack(context: Context, options: Options): Promise<Stack> {
  if (options.range === "in-process")
    throw refuse(
      "invalid-request",
      "a range in one process is reached over its gateway only; add --gateway, or leave out --range",
    );
  return startLocalStack(context, { ...options, directory });
}

/** The range that was asked for, else the most real one that this machine can run; returns how to reach it. */
async function startWithGateway(
  context: Context,
  options: Options & Pick<LocalStackOptions, "gatewayPort">,
  started: AsyncDisposableStack,
): Promise<string[]> {
  refuseIfInUse(directory);
  const { gateway, stack } = started.use(await startLocalRange(context, { ...options, directory }));
  if (!gateway) throw refuse("internal", "the range has no gateway");
  await mkdir(directory, { recursive: true, mode: 0o700 });
  started.use(await writeGatewayFile(directory, gateway.url));
  started.use(await writeLocalTokens(directory, gateway.tokens));
  return [...(stack ? howToConnect(stack) : []), ...howToCall(gateway.url)];
}

/** The credentials stay in the stack's file, readable by its owner only; they are never printed. */
function howToConnect({ natsUrl, clusters }: Pick<Stack, "natsUrl" | "clusters">): string[] {
  return [
    `NATS      ${natsUrl} (user and password in ${stackFile})`,
    `clusters  ${clusters.join(", ")}`,
    "",
    "in this directory, another terminal:  npx microremed submit -f docs/examples/request.yaml",
    "with any NATS client:                 publish the request as JSON to microremed.experiments.submit",
    "",
  ];
}

/** Tokens are in files, too. */
function howToCall(url: string): string[] {
  const { researcher, agent } = tokenFiles;
  return [
    `gateway   ${url} (what it can be asked: ${url}/docs)`,
    `tokens    ${directory}/${researcher} (experiments, problems, sessions), ${directory}/${agent} (an agent's sessions)`,
    "",
    "in this directory, another terminal:",
    `  curl -H "Authorization: Bearer $(cat ${directory}/${researcher})" ${url}/v1/suites`,
  ];
}
