import { Command } from "commander";
import { type CatalogueOptions, catalogueOf, catalogueOption } from "../catalogue.ts";
import { timeScaleOption } from "../choose-range.ts";
import { stackFile } from "../connection.ts";
import type { Context } from "../context.ts";
import { startLocalStack } from "../local-stack.ts";
import { replicaCounts, wholeNumber } from "../parse-number.ts";
import { untilAborted } from "../until-aborted.ts";

interface Options extends CatalogueOptions {
  readonly arenas: number;
  readonly timeScale: number;
  readonly seed: number;
  readonly replicas: Record<string, number>;
}

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
    .addOption(catalogueOption(context))
    .addHelpText("after", "\nExample:\n  microremed up --arenas 8 --replicas executor=2,verifier=2")
    .action(async (options: Options) => {
      // Says what is wrong or replaced before anything starts.
      await catalogueOf(context, options);
      await using stack = await startLocalStack(context, {
        ...options,
        directory: ".microremed",
      });
      for (const line of howToConnect(stack)) context.terminal.say(line);
      await untilAborted(context.signal);
      context.terminal.say("stopping");
    });
}

/** The credentials stay in the stack's file, readable by its owner only; they are never printed. */
function howToConnect(stack: {
  readonly natsUrl: string;
  readonly redisUrl: string;
  readonly clusters: readonly string[];
}): string[] {
  return [
    "",
    `NATS      ${stack.natsUrl} (user and password in ${stackFile})`,
    `clusters  ${stack.clusters.join(", ")}`,
    "",
    "in this directory, another terminal:  npx microremed submit -f docs/examples/request.yaml",
    "with any NATS client:                 publish the request as JSON to microremed.experiments.submit",
    "",
    "Ctrl-C stops everything",
  ];
}
