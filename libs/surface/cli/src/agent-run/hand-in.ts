import { randomUUID } from "node:crypto";
import { BoundedArguments, type Spent, wrongLines } from "@microremed/contracts";
import { parseJson } from "@microremed/core";
import type { ProcessEnd } from "@microremed/sandbox";
import { answerSchema } from "./program-files.ts";
import type { SessionClient, Turn } from "./session-client.ts";

/** A program that has ended before its turn. */
export interface EndedProgram {
  readonly session: Pick<SessionClient, "call" | "leave">;
  readonly turn: Turn;
  readonly end: ProcessEnd;
  /** From the file of its answer; undefined: it has left none. */
  readonly answer: unknown;
  /** Why what is in the file is no answer. */
  readonly answerProblem: string | undefined;
  readonly spent: Spent | undefined;
  /** That it had, s. */
  readonly seconds: number;
  /** What may be why it failed; empty: nothing that is known. */
  readonly hint: string;
  readonly signal: AbortSignal;
}

/**
 * Hands in what a program has left: its answer, or that the system is repaired. A program that has failed, or has left no answer that is
 * taken, has given its problem up.
 */
export async function handIn({
  session,
  turn,
  end,
  answer,
  answerProblem,
  spent,
  seconds,
  hint,
  signal,
}: EndedProgram): Promise<void> {
  const leave = (reason: string): Promise<void> => session.leave(turn, reason, spent, signal);
  const asksForAnswer = answerSchema(turn) !== undefined;
  const given = asksForAnswer ? (answer ?? lastObjectIn(end.output)) : {};
  if (!isObject(given))
    return leave(
      answerProblem ?? `the program ${howItEnded(end, seconds)} and left no answer${lastWords(end, hint)}`,
    );
  const bounded = BoundedArguments.safeParse(given);
  if (!bounded.success) return leave(notTaken(wrongLines(bounded.error)));
  if (!asksForAnswer && !(end.how === "exited" && end.exitCode === 0))
    return leave(`the program ${howItEnded(end, seconds)}${lastWords(end, hint)}`);
  const call = { id: `${turn.problem}-${randomUUID()}`, tool: "submit", arguments: bounded.data, spent };
  const result = await session.call(turn, call, signal);
  if (result.status === "refused") await leave(notTaken(result.text));
  if (result.status === "answered" && !result.ran)
    await session.leave(turn, notTaken(result.text), undefined, signal);
}

const notTaken = (why: string): string => `the program's answer was not taken: ${why}`;

function howItEnded({ how, exitCode }: ProcessEnd, seconds: number): string {
  switch (how) {
    case "exited":
      return exitCode === null ? "was ended by a signal" : `ended with exit code ${exitCode}`;
    case "timed-out":
      return `took longer than ${seconds} s`;
    case "flooded":
      return "printed more than 64 MiB";
    case "exhausted":
      return "took more memory than it may";
    case "stopped":
      return "was stopped";
    default:
      return how satisfies never;
  }
}

/** Most characters of its last line that a reason has. */
const mostLast = 200;

/** The last line that a program which has failed printed, and a hint. Control characters could write anything on a terminal. */
function lastWords({ how, exitCode, output }: ProcessEnd, hint: string): string {
  if (how !== "exited" || exitCode === 0) return "";
  const lines = output.slice(-readFromEnd).split(/[\r\n]+/);
  const last = lines.map((line) => line.replaceAll(/\p{C}+/gu, " ").trim()).findLast((line) => line !== "");
  const said = last === undefined ? "" : `; its last line: ${last.slice(0, mostLast)}`;
  return `${said}${hint === "" ? "" : `; ${hint}`}`;
}

/** How much of what a program printed is read for an answer: the end, characters. */
const readFromEnd = 65_536;

/** The last line that is a JSON object. */
export function lastObjectIn(output: string): Readonly<Record<string, unknown>> | undefined {
  const lines = output.slice(-readFromEnd).split("\n").toReversed();
  for (const line of lines) {
    const text = line.trim();
    const read = text.startsWith("{") ? parseJson(text) : undefined;
    if (isObject(read)) return read;
  }
  return undefined;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
