import { mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isPassed } from "@microremed/contracts";
import { nearest, oneOf, terminal as refuse } from "@microremed/core";
import { problemsOf } from "@microremed/planner";
import type { RangeClient } from "@microremed/range-client";
import { solutionOf } from "@microremed/solving";
import { Command } from "commander";
import { type CatalogueOptions, catalogueOf, catalogueOption } from "../catalogue.ts";
import { type RangeOptions, rangeOption, timeScaleOption } from "../choose-range.ts";
import type { Context } from "../context.ts";
import { createKeeper } from "../episode-keeper.ts";
import { exitCodes } from "../exit-codes.ts";
import { untilFinished } from "../follow.ts";
import { startLocalRange } from "../local-range.ts";
import { endingText, givenUpText } from "../play/ending.ts";
import { createScreen, type Screen } from "../play/screen.ts";
import { servePlayer } from "../play/serve-player.ts";
import { prepareDirectory } from "../save-episodes.ts";
import { submitOrThrow } from "../submit.ts";

interface Options extends CatalogueOptions, RangeOptions {
  readonly task?: string;
  readonly savePath?: string;
  readonly timeScale: number;
  readonly seed: number;
}

/** The model's name under which the person is asked, and the method with every tool. */
const player = "you";
const method = "Player";
/** Longest that a person may think about one move, and about all, s. */
const longestMove = 3_600;
const longestGame = 86_400;
/** Of every game: two people who play a problem have the same. */
const seed = 1;
/** Most tool calls of one game. */
const mostMoves = 100;
/** How long an ended game waits to be saved as the range sees its end, ms. */
const lastWordMs = 4_000;

/** `microremed play <problem>`: a person at the terminal gets what an agent gets. */
export function playCommand(context: Context): Command {
  return new Command("play")
    .argument("<problem>", "<suite>/<problem> (see `microremed problems list`)")
    .option("--task <name>", "which of its tasks; default: its first")
    .option("--save-path <dir>", "save the episode in this directory, also after `quit` and Ctrl-C")
    .addOption(timeScaleOption(60))
    .addOption(rangeOption())
    .addOption(catalogueOption(context))
    .addHelpText(
      "after",
      `
At the prompt, help lists the tools; the Tab key completes; submit ends the game.

Exits with 0 if the task was passed, 1 if not, 4 after quit or at the end of the input, 6 if the range failed.`,
    )
    .action(async (problem: string, options: Options) => {
      process.exitCode = await play(context, problem, options);
    });
}

async function play(context: Context, id: string, options: Options): Promise<number> {
  const catalogue = await catalogueOf(context, options);
  const [problem] = problemsOf({ problems: [id], seed }, catalogue);
  const task = options.task ?? problem?.tasks[0];
  const [like] = nearest(task ?? "", problem?.tasks ?? [], 1);
  const guess = like === undefined ? "" : `; did you mean ${like}?`;
  if (!problem || task === undefined || !problem.tasks.includes(task))
    throw refuse(
      "invalid-request",
      `${id} has the tasks ${oneOf(problem?.tasks ?? [])}, not ${task}${guess}`,
    );
  if (options.savePath !== undefined)
    await prepareDirectory(options.savePath, undefined, { ...options, resumable: false });
  await using resources = new AsyncDisposableStack();
  const screen = createScreen({
    ...{ terminal: context.terminal, input: process.stdin, output: process.stderr },
    isTerminal: process.stdin.isTTY === true,
    interrupt: () => process.kill(process.pid, "SIGINT"),
  });
  context.signal.addEventListener("abort", () => screen.close());
  resources.defer(() => screen.close());
  const server = resources.use(await servePlayer((asked) => screen.move(asked)));
  const directory = resources.use(await mkdtempDisposable(join(tmpdir(), "microremed-play-")));
  const modelsFile = join(directory.path, "models.yaml");
  await writeFile(modelsFile, JSON.stringify({ models: { [player]: { baseUrl: server.url } } }));
  const own = { ...context, env: { ...context.env, MICROREMED_MODELS_FILE: modelsFile } };
  const { client } = resources.use(await startLocalRange(own, { ...options, arenas: 1, seed }));
  const experimentId = await submitOrThrow(client, {
    problems: [id],
    seed,
    task: [task],
    model: [player],
    method: [method],
    maxAttempts: 1,
    maxProbes: mostMoves,
    timeouts: { modelSeconds: longestMove },
    budgets: { seconds: longestGame, toolCalls: mostMoves },
  });
  context.terminal.say("the incident is on its way; you are asked as soon as it has happened");
  const keeper = await createKeeper(client, [{ experimentId }], options, context.terminal);
  let wasPlayedOut = false;
  try {
    wasPlayedOut = await playedOut(untilFinished(client, experimentId, context.signal), screen);
  } finally {
    if (!wasPlayedOut) await giveUp(client, experimentId);
    if (options.savePath !== undefined) await keeper.finish();
    const causes = solutionOf(problem, seed, catalogue) ?? [];
    const explanations = causes.map(({ explanation }) => explanation);
    if (!wasPlayedOut) context.terminal.say(givenUpText(explanations, id, options.savePath));
    else if (options.savePath !== undefined) context.terminal.say(`saved in ${options.savePath}`);
  }
  if (!wasPlayedOut) return exitCodes.cancelled.code;
  const [episode] = (await client.experiment(experimentId)).episodes;
  const outcome = episode?.outcome ?? null;
  context.terminal.print(endingText(episode));
  if (outcome === "harness-error") return exitCodes.harness.code;
  return isPassed(outcome) ? exitCodes.ok.code : exitCodes.failed.code;
}

/** False: the person gave up, or the input ended, before the experiment did. */
async function playedOut(ended: Promise<unknown>, { quit }: Screen): Promise<boolean> {
  return await Promise.race([ended.then(() => true), quit.then(() => false)]);
}

/** Leaves the game and waits for the range's last word on it, a few seconds at most. */
async function giveUp(client: RangeClient, experimentId: string): Promise<void> {
  await client.cancel(experimentId, "agent");
  await untilFinished(client, experimentId, AbortSignal.timeout(lastWordMs)).catch(() => undefined);
}
