import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Spent } from "@microremed/contracts";
import { AppError, counted, terminal as refuse } from "@microremed/core";
import type { ModelEndpoint } from "@microremed/llm";
import { type ProcessEnd, runProgram, type Sandbox } from "@microremed/sandbox";
import { openDoor } from "./door.ts";
import { handIn, lastObjectIn } from "./hand-in.ts";
import { createModelProxy, isSpent } from "./model-proxy.ts";
import { mountHint } from "./mount-hint.ts";
import { startedBy, surroundingsOf } from "./program-files.ts";
import type { SessionClient, Turn } from "./session-client.ts";
import { isLeftOpen, isOver, isSame } from "./turn-state.ts";
import { writeAtOnce } from "./write-at-once.ts";

/** What programs are run with. */
export interface ProgramOptions {
  readonly argv: readonly string[];
  readonly sandbox: Sandbox;
  readonly mounts: readonly string[];
  /** Folders below these that are empty for them. */
  readonly hidden: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly memoryBytes: number;
  /** Of one turn, wall clock, s. */
  readonly seconds: number;
  /** The only one that programs may call; undefined: none. */
  readonly model: ModelEndpoint | undefined;
  /** Where what they print is written; undefined: nowhere. */
  readonly logs: string | undefined;
  /** How long a program may go on after its turn, ms. Default: 5 s. */
  readonly graceMs?: number;
  /** No turn is left: programs that are still running end. */
  readonly finished?: AbortSignal;
  /** A line for a person. */
  readonly say: (text: string) => void;
}

/** How long `next` waits for a problem, s; between two signs of life, ms. */
const nextSeconds = 25;
const heartbeatMs = 20_000;
/** How long a program may go on after its turn, by default, ms. */
export const usualGraceMs = 5_000;
/** Turns in a row in which a program does nothing, after which no more are begun. */
const mostIdle = 5;

/** Starts the program for each turn that the session hands out, several at once, until no problem is left. */
export async function playSession(
  session: SessionClient,
  workers: number,
  options: ProgramOptions,
  signal: AbortSignal,
): Promise<void> {
  const failing = new AbortController();
  const course: Course = { turns: 0, idle: 0 };
  const ended = AbortSignal.any([signal, failing.signal]);
  const work = async (worker: string): Promise<void> => {
    let played: Turn | undefined;
    for (;;) {
      const next = await session.next(worker, nextSeconds, ended);
      if (next.status === "done") return;
      if (next.status !== "problem") continue;
      if (played && isSame(next, played))
        await session.leave(next, "the program ended before its turn did", undefined, ended);
      else await playTurn({ session, worker, course }, next, options, ended);
      played = next;
    }
  };
  const names = Array.from({ length: workers }, (_, index) => `w${index + 1}`);
  // The first that fails ends the others, and is what is wrong.
  const fail = (thrown: unknown): void => failing.abort(thrown);
  await Promise.all(names.map((name) => work(name).catch(fail)));
  failing.signal.throwIfAborted();
}

/** How a session goes. */
interface Course {
  /** That have begun. */
  turns: number;
  /** Of the latest, in how many the program has done nothing. */
  idle: number;
}

interface Playing {
  readonly session: SessionClient;
  readonly worker: string;
  readonly course: Course;
}

/** One run of the program. Throws `invalid-request` when it has done nothing in too many turns in a row. */
async function playTurn(
  { session, worker, course }: Playing,
  turn: Turn,
  options: ProgramOptions,
  signal: AbortSignal,
): Promise<void> {
  const { argv, sandbox, mounts, hidden, memoryBytes, seconds, env } = options;
  const number = ++course.turns;
  const model = options.model && createModelProxy(options.model, turn.limits);
  using door = openDoor({ session, worker, turn, model, signal });
  const stop = new AbortController();
  const live = async (): Promise<void> => {
    await session.heartbeat(signal);
    if (await isOver(session, worker, turn, signal)) stop.abort();
  };
  const alive = setInterval(() => void live().catch(() => undefined), heartbeatMs);
  door.turnEnded.addEventListener("abort", () =>
    setTimeout(() => stop.abort(), options.graceMs ?? usualGraceMs).unref(),
  );
  const task = { turn, session, worker, env, model: options.model?.model };
  try {
    const end = await runProgram({
      ...{ argv: startedBy(argv), sandbox, mounts, hidden, memoryBytes, timeoutMs: seconds * 1000 },
      door: door.accept,
      // Whatever ends it, what it has printed is kept.
      stop: AbortSignal.any([stop.signal, signal, ...(options.finished ? [options.finished] : [])]),
      surroundings: (place) => {
        door.prefix = new URL(place.url).pathname;
        return surroundingsOf(task, place);
      },
    });
    await model?.end();
    await keepOutput(number, turn, end, options);
    signal.throwIfAborted();
    await door.settle();
    if (door.turnEnded.aborted || !(await isLeftOpen(session, worker, turn, signal))) return;
    const { answer, answerProblem } = door;
    const spent = model?.take();
    await handIn({
      session,
      turn,
      end,
      answer,
      answerProblem,
      spent,
      seconds,
      hint: await mountHint(options),
      signal,
    });
    const isIdle =
      door.calls === 0 && !(spent && isSpent(spent)) && hasLeftNothing(end, answer ?? answerProblem);
    course.idle = isIdle ? course.idle + 1 : 0;
    if (course.idle >= mostIdle) throw idleFor(course.idle, end);
  } finally {
    clearInterval(alive);
    await model?.end();
    sayUncounted(model?.take(), options);
  }
}

const hasLeftNothing = ({ how, output }: ProcessEnd, answer: unknown): boolean =>
  how === "exited" && answer === undefined && lastObjectIn(output) === undefined;

/** An agent that does not start, or not as it should, would else be tried on every problem. */
function idleFor(turns: number, { exitCode, output }: ProcessEnd): AppError {
  const said = output.trim().slice(-500);
  return refuse(
    "invalid-request",
    `the program has ended ${turns} times in a row without a call of a tool or a model, and without an answer: it ends with ${exitCode === null ? "a signal" : `exit code ${exitCode}`} and prints ${said === "" ? "nothing" : JSON.stringify(said)}. No more problems are begun: find out why, perhaps with --problem and one problem`,
  );
}

/** What is used up once a turn is over belongs to no turn. */
function sayUncounted(spent: Spent | undefined, { say }: ProgramOptions): void {
  const tokens = (spent?.promptTokens ?? 0) + (spent?.completionTokens ?? 0);
  if (!spent || tokens === 0) return;
  const cost = spent.cost === null ? "" : `, ${spent.cost.toFixed(4)} dollars`;
  say(`${counted(tokens, "token")} of the model after a turn was over${cost}: they are in no record`);
}

async function keepOutput(
  number: number,
  turn: Turn,
  end: ProcessEnd,
  { logs, say }: ProgramOptions,
): Promise<void> {
  if (logs === undefined) return;
  try {
    await mkdir(logs, { recursive: true });
    await writeAtOnce(join(logs, logName(number, turn)), end.output);
  } catch (thrown) {
    say(`the output of a program could not be written: ${AppError.from(thrown).message}`);
  }
}

/** `003_detection_p4f7k2m9x1q8z_attempt-1.log`: calls in the saved episode have ids that begin with the problem's name. */
const logName = (number: number, { task, problem, attempt }: Turn): string =>
  `${String(number).padStart(3, "0")}_${task}_${problem}_attempt-${attempt}.log`;
