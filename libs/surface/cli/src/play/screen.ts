import { readFileSync } from "node:fs";
import { createInterface, type Interface } from "node:readline";
import { AppError } from "@microremed/core";
import type { Terminal } from "../terminal.ts";
import { completionsOf, helpText, type PlayedTool, readPlayerLine } from "./player-line.ts";
import type { Asked, Played } from "./serve-player.ts";

/** The person's side of a game. */
export interface Screen {
  /** Shows what was said since the last move, and reads lines until one is a move. Throws `cancelled` after `quit`. */
  move(asked: Asked): Promise<Played>;
  /** Resolves when the person gives up, or the input ends. */
  readonly quit: Promise<void>;
  close(): void;
}

export interface ScreenOptions {
  readonly terminal: Pick<Terminal, "say">;
  readonly input: NodeJS.ReadableStream;
  /** Where the prompt, and on a terminal what is typed, is shown. */
  readonly output: NodeJS.WritableStream;
  /** Whether keys are read one by one: Tab completes, Ctrl-C interrupts. */
  readonly isTerminal: boolean;
  /** Called for Ctrl-C, which a terminal that is read key by key does not turn into a signal. */
  readonly interrupt: () => void;
}

/** A prompt over two streams. What was written before the input ended is still played. */
export function createScreen({ terminal, input, output, isTerminal, interrupt }: ScreenOptions): Screen {
  let tools: readonly PlayedTool[] = [];
  let shown = 0;
  const given = Promise.withResolvers<void>();
  const lines: Interface = createInterface({
    ...{ input, output, terminal: isTerminal },
    completer: (line: string) => [completionsOf(line, tools), line.split(/\s+/).at(-1) ?? ""],
  });
  const waiting: string[] = [];
  let wake: (() => void) | undefined;
  lines.on("line", (line) => {
    waiting.push(line);
    wake?.();
  });
  let ended = false;
  lines.on("close", () => {
    ended = true;
    wake?.();
  });
  lines.on("SIGINT", interrupt);
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
    const isFirst = shown === 0;
    tools = asked.tools;
    for (const { role, content } of asked.messages.slice(shown))
      if (role !== "assistant" && content) terminal.say(`\n${content}\n`);
    if (isFirst) terminal.say("help lists the tools, help <tool> its arguments; quit gives up");
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
