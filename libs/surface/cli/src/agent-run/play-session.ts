import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { AppError } from "@microremed/core";
import type { ModelEndpoint } from "@microremed/llm";
import { type ProcessEnd, runProgram, type Sandbox } from "@microremed/sandbox";
import { openDoor } from "./door.ts";
import { handIn } from "./hand-in.ts";
import { createModelProxy } from "./model-proxy.ts";
import { startedBy, surroundingsOf } from "./program-files.ts";
import type { SessionClient, Turn } from "./session-client.ts";
import { isLeftOpen, isOver } from "./turn-state.ts";

/** What programs are run with. */
export interface ProgramOptions {
  readonly argv: readonly string[];
  readonly sandbox: Sandbox;
  readonly mounts: readonly string[];
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
  /** A line for a person. */
  readonly say: (text: string) => void;
}

/** How long `next` waits for a problem, s; between two signs of life, ms; and how long a program may go on after its turn, by default, ms. */
const nextSeconds = 25;
const heartbeatMs = 20_000;
const usualGraceMs = 5_000;

/** Starts the program for each turn that the session hands out, several at once, until no problem is left. */
export async function playSession(
  session: SessionClient,
  workers: number,
  options: ProgramOptions,
  signal: AbortSignal,
): Promise<void> {
  const failing = new AbortController();
  const ended = AbortSignal.any([signal, failing.signal]);
  const work = async (worker: string): Promise<void> => {
    let played: string | undefined;
    for (;;) {
      const next = await session.next(worker, nextSeconds, ended);
      if (next.status === "done") return;
      if (next.status !== "problem") continue;
      const turn = `${next.problem}/${next.attempt}`;
      if (turn === played) await session.leave(next.problem, "the program ended before its turn did", ended);
      else await playTurn(session, worker, next, options, ended);
      played = turn;
    }
  };
  const names = Array.from({ length: workers }, (_, index) => `w${index + 1}`);
  const all = names.map((name) =>
    work(name).catch((thrown: unknown) => {
      failing.abort();
      throw thrown;
    }),
  );
  const first = (await Promise.allSettled(all)).find((one) => one.status === "rejected");
  if (first) throw first.reason;
}

/** One run of the program. */
async function playTurn(
  session: SessionClient,
  worker: string,
  turn: Turn,
  options: ProgramOptions,
  signal: AbortSignal,
): Promise<void> {
  const { argv, sandbox, mounts, memoryBytes, seconds, env } = options;
  const model = options.model && createModelProxy(options.model);
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
      ...{ argv: startedBy(argv), sandbox, mounts, memoryBytes, timeoutMs: seconds * 1000 },
      door: door.accept,
      ...{ signal, stop: stop.signal },
      surroundings: (place) => {
        door.prefix = new URL(place.url).pathname;
        return surroundingsOf(task, place);
      },
    });
    await keepOutput(turn, end, options);
    if (door.turnEnded.aborted || !(await isLeftOpen(session, worker, turn, signal))) return;
    const { answer, answerProblem } = door;
    await handIn({ session, turn, end, answer, answerProblem, spent: model?.take(), seconds, signal });
  } finally {
    clearInterval(alive);
  }
}

async function keepOutput(turn: Turn, end: ProcessEnd, { logs, say }: ProgramOptions): Promise<void> {
  if (logs === undefined) return;
  try {
    await mkdir(logs, { recursive: true });
    await writeFile(join(logs, `${turn.problem}-${turn.attempt}.log`), end.output);
  } catch (thrown) {
    say(`the output of a program could not be written: ${AppError.from(thrown).message}`);
  }
}
