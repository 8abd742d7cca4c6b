import { randomBytes } from "node:crypto";
import { availableParallelism } from "node:os";
import { Timeouts } from "@microremed/contracts";
import { type PlaybooksName, playbooksNames, serveGym } from "@microremed/gym/serve";
import { Command, InvalidArgumentError, Option } from "commander";
import { type CatalogueOptions, catalogueOf, catalogueOption } from "../catalogue.ts";
import type { Context } from "../context.ts";
import { wholeNumber } from "../parse-number.ts";
import { untilAborted } from "../until-aborted.ts";

interface ServeOptions extends CatalogueOptions {
  readonly host: string;
  readonly port: number;
  readonly workers: number;
  readonly sessions: number;
  readonly idleSeconds: number;
  readonly stepSeconds: number;
  readonly env: string;
  readonly suite: string;
  readonly variants: number;
  readonly soak: number;
  readonly starts: number;
  readonly systems: number;
  readonly shaping?: number;
  readonly playbooks: PlaybooksName;
}

/** Each has a catalogue and clusters in memory, some 400 MB. */
const mostWorkers = 64;
/** A first reset deploys a system and injects a fault; on a busy machine that takes long, s. */
const resetSeconds = 600;

/** `microremed gym`: episodes for training. */
export function gymCommand(context: Context): Command {
  return new Command("gym").addCommand(serveCommand(context));
}

function serveCommand(context: Context): Command {
  return new Command("serve")
    .description("serve episodes by OpenEnv's protocol, over HTTP, WebSocket and MCP, until Ctrl-C")
    .option(
      "--workers <n>",
      "threads, each with clusters of its own",
      wholeNumber(1, mostWorkers),
      Math.min(mostWorkers, availableParallelism()),
    )
    .option(
      "--host <address>",
      "address to listen on; one that other machines reach needs MICROREMED_GYM_TOKEN",
      "127.0.0.1",
    )
    .option("--port <n>", "port to listen on; 0: any free one", wholeNumber(0, 65_535), 8000)
    .option("--sessions <n>", "episodes at once", wholeNumber(1, 100_000), 512)
    .option(
      "--idle-seconds <n>",
      "an episode that was not used for so long is forgotten",
      wholeNumber(1, 86_400),
      600,
    )
    .option("--step-seconds <n>", "deadline of a step that names none", wholeNumber(1, 3_600), 120)
    .option("--env <name>", "system of cases that name none", "online-boutique")
    .option("--suite <name>", "where a reset that names no case draws one", "easy@1")
    .option(
      "--variants <n>",
      "courses of each case; a seed has that of its remainder",
      wholeNumber(1, 1_000),
      4,
    )
    .option(
      "--soak <s>",
      "cluster seconds after a recovery before everything is checked again; less is faster, and lets delayed damage pass",
      wholeNumber(0, 7_200),
      600,
    )
    .option("--starts <n>", "started cases that each worker keeps", wholeNumber(1, 100_000), 128)
    .option("--systems <n>", "systems that each worker has at once", wholeNumber(1, 100), 6)
    .addOption(
      new Option(
        "--playbooks <how>",
        "interpreted: in the process, a subset of Ansible, the same seed the same bytes; ansible: by ansible-playbook in a sandbox",
      )
        .choices(playbooksNames)
        .default("interpreted"),
    )
    .option(
      "--shaping <gamma>",
      "add a potential to the reward of every step, with this discount; default: none",
      discount,
    )
    .addOption(catalogueOption(context))
    .addHelpText(
      "after",
      `
What is wrong in an episode, and what was measured, is given for the trainer's token alone: MICROREMED_GYM_TRAINER_TOKEN, or
one that is made and printed. With MICROREMED_GYM_TOKEN nothing is given without a token.

Example:
  microremed gym serve --workers 2
  curl -X POST localhost:8000/reset -H 'content-type: application/json' -d '{"suite": "range@3", "seed": 1}'`,
    )
    .action((options: ServeOptions) => serve(context, options));
}

/** Wall clock of a playbook, s: half of a step's deadline, for what it did is measured in the same step, and no more than usual in a range. */
const playbookSecondsOf = (stepSeconds: number): number =>
  Math.min(Timeouts.parse({}).playbookSeconds, Math.max(1, Math.floor(stepSeconds / 2)));

function discount(text: string): number {
  const value = Number(text);
  if (value > 0 && value <= 1) return value;
  throw new InvalidArgumentError("expected a number above 0, at most 1");
}

async function serve(context: Context, options: ServeOptions): Promise<void> {
  const { terminal, signal, env } = context;
  // Says what is wrong with the user's entries before any thread starts.
  const catalogue = await catalogueOf(context, options);
  catalogue.environments.get(options.env);
  const given = env["MICROREMED_GYM_TRAINER_TOKEN"] || undefined;
  const trainerToken = given ?? randomBytes(24).toString("base64url");
  const {
    host,
    port,
    workers,
    idleSeconds,
    stepSeconds,
    env: environment,
    suite,
    variants,
    soak: soakSeconds,
    starts,
    systems,
    shaping,
    playbooks,
  } = options;
  await using gym = await serveGym({
    ...{ host, port, workers, stepSeconds, resetSeconds, trainerToken },
    agentToken: env["MICROREMED_GYM_TOKEN"] || undefined,
    most: options.sessions,
    idleMs: idleSeconds * 1000,
    order: {
      ...{ environment, suite, variants, soakSeconds, starts, systems, playbooks },
      playbookSeconds: playbookSecondsOf(stepSeconds),
      catalogues: options.catalogue,
      ...(shaping !== undefined && { shaping }),
    },
  });
  terminal.say(`gym on ${gym.url}, ${workers} workers; Ctrl-C ends it and all episodes`);
  if (given === undefined) terminal.say(`the trainer's token: ${trainerToken}`);
  await untilAborted(signal);
}
