import { createInterface } from "node:readline";
import { counted } from "@microremed/core";
import { type Choice, longestReason, type Pair, showPair } from "@microremed/preferences";
import type { Terminal } from "../terminal.ts";

/** What a person said of a pair. */
export interface Said {
  readonly pair: string;
  readonly choice: Choice;
  readonly reason: string | null;
}

export interface RateOptions {
  readonly terminal: Pick<Terminal, "say" | "width">;
  readonly input: NodeJS.ReadableStream;
  /** Where the prompt, and on a terminal what is typed, is shown. */
  readonly output: NodeJS.WritableStream;
  readonly isTerminal: boolean;
  /** Called for Ctrl-C, which a terminal that is read line by line does not turn into a signal. */
  readonly interrupt: () => void;
  readonly signal: AbortSignal;
  /** Keeps a rating before the next pair is shown. */
  readonly keep: (said: Said) => Promise<void>;
}

const answers: Readonly<Record<string, Choice | "skip" | "quit">> = {
  ...{ "1": "left", "2": "right", l: "left", r: "right", t: "tie", s: "skip", q: "quit" },
};
const question = "better: 1 left, 2 right, t tie, s skip, q quit > ";

/** Shows one pair after the other until they end, the person quits, or the input ends. Returns how many were rated. */
export async function rate(pairs: readonly Pair[], options: RateOptions): Promise<number> {
  const { terminal, input, output, isTerminal, interrupt, signal, keep } = options;
  const reader = createInterface({ input, output, terminal: isTerminal });
  reader.on("SIGINT", interrupt);
  const stop = (): void => reader.close();
  signal.addEventListener("abort", stop);
  const lines = reader[Symbol.asyncIterator]();
  const ask = async (prompt: string): Promise<string | undefined> => {
    output.write(prompt);
    const { done, value } = await lines.next();
    return done ? undefined : value.trim();
  };
  let rated = 0;
  try {
    for (const [at, pair] of pairs.entries()) {
      terminal.say(`\npair ${at + 1} of ${pairs.length}\n\n${showPair(pair, terminal.width)}\n`);
      const choice = await chosen(ask, terminal);
      if (choice === "quit") break;
      if (choice === "skip") continue;
      const reason = await ask("why, or Enter > ");
      await keep({ pair: pair.id, choice, reason: reason?.slice(0, longestReason) || null });
      rated++;
    }
  } finally {
    signal.removeEventListener("abort", stop);
    reader.close();
  }
  terminal.say(`${counted(rated, "pair")} rated`);
  return rated;
}

async function chosen(
  ask: (prompt: string) => Promise<string | undefined>,
  terminal: Pick<Terminal, "say">,
): Promise<Choice | "skip" | "quit"> {
  for (;;) {
    const line = await ask(question);
    if (line === undefined) return "quit";
    const answer = Object.hasOwn(answers, line.toLowerCase()) ? answers[line.toLowerCase()] : undefined;
    if (answer) return answer;
    if (line !== "") terminal.say(`${JSON.stringify(line)} is no answer; type 1, 2, t, s or q`);
  }
}
