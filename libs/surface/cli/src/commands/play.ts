import { readFileSync } from "node:fs";
import { mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface, type Interface } from "node:readline";
import { isPassed, lastGradeOf } from "@microremed/contracts";
import { AppError, terminal as refuse } from "@microremed/core";
import { problemsOf } from "@microremed/planner";
import { Command } from "commander";
import { type CatalogueOptions, catalogueOf, catalogueOption } from "../catalogue.ts";
import { type RangeOptions, rangeOption, timeScaleOption } from "../choose-range.ts";
import type { Context } from "../context.ts";
import { untilFinished } from "../follow.ts";
import { startLocalRange } from "../local-range.ts";
import { completionsOf, helpText, type PlayedTool, readPlayerLine } from "../play/player-line.ts";
import { type Asked, type Played, servePlayer } from "../play/serve-player.ts";
import { submitOrThrow } from "../submit.ts";

interface Options extends CatalogueOptions, RangeOptions {
  readonly task?: string;
  readonly timeScale: number;
  readonly seed: number;
}

/** The model's name under which the person is asked, and the method with every tool. */
const player = "you";
const method = "Player";
/** Longest that a person may think about one move, and about all, s. */
const longestMove = 3_600;
const longestGame = 86_400;
/** Most tool calls of one game. */
const mostMoves = 100;

/** `microremed play <problem>`: a person at the terminal gets what an agent gets. */
export function playCommand(context: Context): Command {
  return new Command("play")
    .argument("<problem>", "<suite>/<problem> (see `microremed problems list`)")
    .option("--task <name>", "which of its tasks; default: its first")
    .addOption(timeScaleOption(60))
    .addOption(rangeOption())
    .addOption(catalogueOption(context))
    .addHelpText(
      "after",
      "\nAt the prompt, help lists the tools; the Tab key completes; submit ends the game.",
    )
    .action(async (problem: string, options: Options) => {
      process.exitCode = await play(context, problem, options);
    });
}

async function play(context: Context, id: string, options: Options): Promise<number> {
  const catalogue = await catalogueOf(context, options);
  const [problem] = problemsOf({ problems: [id], seed: 1 }, catalogue);
  const task = options.task ?? problem?.tasks[0];
  if (!problem || task === undefined || !problem.tasks.includes(task))
    throw refuse("invalid-request", `${id} has the tasks ${problem?.tasks.join(", ")}, not ${task}`);
  await using resources = new AsyncDisposableStack();
  const screen = createScreen(context);
  resources.defer(() => screen.close());
  const server = resources.use(await servePlayer((asked) => screen.move(asked)));
  const directory = resources.use(await mkdtempDisposable(join(tmpdir(), "microremed-play-")));
  const modelsFile = join(directory.path, "models.yaml");
  await writeFile(modelsFile, JSON.stringify({ models: { [player]: { baseUrl: server.url } } }));
  const own = { ...context, env: { ...context.env, MICROREMED_MODELS_FILE: modelsFile } };
  const { client } = resources.use(await startLocalRange(own, { ...options, arenas: 1, seed: 1 }));
  const experimentId = await submitOrThrow(client, {
    problems: [id],
    task: [task],
    model: [player],
    method: [method],
    maxAttempts: 1,
    maxProbes: mostMoves,
    timeouts: { modelSeconds: longestMove },
    budgets: { seconds: longestGame, toolCalls: mostMoves },
  });
  context.terminal.say("the incident is on its way; you are asked as soon as it has happened");
  const ended = untilFinished(client, experimentId, context.signal);
  const won = await Promise.race([ended.then(() => true), screen.quit.then(() => false)]);
  if (!won) return 1;
  const [episode] = (await client.experiment(experimentId)).episodes;
  const reason = episode && (lastGradeOf(episode)?.reason ?? episode.reason);
  context.terminal.print(`${episode?.outcome ?? "no episode"}: ${reason ?? ""}`);
  return isPassed(episode?.outcome ?? null) ? 0 : 1;
}

interface Screen {
  move(asked: Asked): Promise<Played>;
  /** Resolves when the person gives up, or the input ends. */
  readonly quit: Promise<void>;
  close(): void;
}

/** Shows what was said since the last move, and reads lines until one is a move. */
function createScreen({ terminal, signal }: Context): Screen {
  let tools: readonly PlayedTool[] = [];
  let shown = 0;
  const given = Promise.withResolvers<void>();
  const lines: Interface = createInterface({
    input: process.stdin,
    output: process.stderr,
    terminal: process.stdin.isTTY === true,
    completer: (line: string) => [completionsOf(line, tools), line.split(/\s+/).at(-1) ?? ""],
  });
  const waiting: string[] = [];
  let wake: (() => void) | undefined;
  lines.on("line", (line) => {
    waiting.push(line);
    wake?.();
  });
  // What was written before the input ended is still played.
  let ended = false;
  lines.on("close", () => {
    ended = true;
    wake?.();
  });
  signal.addEventListener("abort", () => lines.close());
  const nextLine = async (): Promise<string> => {
    if (!ended) lines.setPrompt("> ");
    if (!ended) lines.prompt();
    while (waiting.length === 0) {
      if (ended) return "quit";
      const { promise, resolve } = Promise.withResolvers<void>();
      wake = resolve;
      await promise;
    }
    return waiting.shift() ?? "";
  };
  const move = async (asked: Asked): Promise<Played> => {
    tools = asked.tools;
    for (const { role, content } of asked.messages.slice(shown))
      if (role !== "assistant" && content) terminal.say(`\n${content}\n`);
    shown = asked.messages.length;
    for (;;) {
      const line = await nextLine();
      if (line.trim() === "") continue;
      const read = readPlayerLine(line, tools, textOf);
      if (read.kind === "call") return { name: read.name, args: read.args };
      if (read.kind === "help") terminal.say(helpText(tools, read.about));
      if (read.kind === "wrong") terminal.say(read.why);
      if (read.kind === "quit") {
        given.resolve();
        throw new AppError("cancelled", "the player gave up");
      }
    }
  };
  return { move, quit: given.promise, close: () => lines.close() };
}

/** Of a file that a player names; undefined: it cannot be read. */
function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
