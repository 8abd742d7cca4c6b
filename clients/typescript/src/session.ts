import { ask, type Routes, type Sending } from "./ask.ts";
import { MicroRemedError, NoAnswer, Refused, TurnOver } from "./errors.ts";
import type { paths } from "./openapi.ts";
import { Problem, type ProblemSession } from "./problem.ts";
import { type Row, type Score, scoreOf } from "./rows.ts";

type Opened = paths["/v1/sessions"]["post"]["responses"][201]["content"]["application/json"];

/** Works on a problem: calls its tools, and submits. */
export interface Solver {
  solve(problem: Problem): Promise<void> | void;
}

/** How long a session's agent waits and thinks. */
export interface Deadlines {
  /** Longest that a call waits for its answer, ms. Default: 600,000. */
  readonly callMs?: number;
  /** Longest that a worker waits for a problem, ms. Default: 1,800,000. */
  readonly waitMs?: number;
  /** Heartbeats end when the agent has asked nothing for so long, ms: an agent that hangs is to be lost. Default: 3,600,000. */
  readonly longestThinkMs?: number;
}

/** For an answer that needs no wait, and beyond the wait of one that does, ms. */
const answerMs = 40_000;
/** Longest that is waited for what a problem came to, when its loop is left, ms. */
const outcomeMs = 120_000;
/** How long one request waits for a problem, s: many proxies end it after a minute. */
const nextSeconds = 50;

/**
 * An agent's connection to the problems of an experiment: `for await (const problem of session)`, or several at once with `run`. Close it,
 * or declare it with `await using`: what is left of an experiment that it has started is cancelled.
 */
export class Session implements AsyncDisposable {
  readonly id: string;
  readonly agent: string;
  readonly experiment: string;
  /** Problems of the experiment, repeats included. */
  readonly episodes: number;
  readonly #routes: Routes;
  readonly #deadlines: Required<Deadlines>;
  readonly #rows = new Map<string, Row>();
  readonly #turns = new Map<string, string[]>();
  readonly #latest = new Map<string, Problem>();
  readonly #closing = new AbortController();
  readonly #heart: ReturnType<typeof setInterval>;
  #lastSign = Date.now();

  constructor(routes: Routes, opened: Opened, deadlines: Deadlines = {}) {
    this.#routes = routes;
    this.id = opened.id;
    this.agent = opened.agent;
    this.experiment = opened.experiment;
    this.episodes = opened.episodes;
    this.#deadlines = { callMs: 600_000, waitMs: 1_800_000, longestThinkMs: 3_600_000, ...deadlines };
    const everyMs = Math.min(60_000, (opened.silenceSeconds * 1000) / 4);
    this.#heart = setInterval(() => void this.#beat(), everyMs);
    // Heartbeats alone do not keep a process of Node alive.
    (this.#heart as { unref?(): void }).unref?.();
  }

  [Symbol.asyncIterator](): AsyncGenerator<Problem> {
    return this.worker("main");
  }

  /**
   * The turns of one worker until no problem is left. A turn that is not over when the next one is asked for is given up. A loop that is
   * left after `submit` waits for the problem's outcome.
   */
  async *worker(name: string): AsyncGenerator<Problem> {
    for (let problem = await this.next(name); problem; problem = await this.next(name)) {
      let isLeft = true;
      try {
        yield problem;
        isLeft = false;
      } finally {
        if (isLeft) await this.#settle(problem).catch(() => undefined);
      }
      await giveUp(problem, "the agent went on without an answer");
    }
  }

  /** The turn that comes next; undefined: no problem is left. Throws `NoAnswer` when none has come for `waitMs`. */
  async next(worker = "main"): Promise<Problem | undefined> {
    const deadline = Date.now() + this.#deadlines.waitMs;
    for (;;) {
      const waitSeconds = Math.max(0, Math.min(nextSeconds, Math.floor((deadline - Date.now()) / 1000)));
      const given = await this.#ask(
        (signal) =>
          this.#routes.POST("/v1/sessions/{id}/next", {
            params: { path: { id: this.id } },
            body: { worker, waitSeconds },
            signal,
          }),
        waitSeconds,
      );
      if ("previous" in given && given.previous) this.#note(given.previous);
      if (given.status === "done") {
        this.#latest.delete(worker);
        return undefined;
      }
      if (given.status === "problem") {
        const turns = this.#turns.get(given.problem) ?? [];
        const turn = `${given.task} ${given.attempt}`;
        // A turn that was there before: it was asked for again, or the problem has started again from it.
        const known = turns.includes(turn) ? turns.slice(0, turns.indexOf(turn) + 1) : [...turns, turn];
        this.#turns.set(given.problem, known);
        const row = this.#rowOf(given.problem);
        row.attempts = Math.max(row.attempts, given.attempt);
        row.task = [...new Set(known.map((one) => one.split(" ")[0]))].join("+");
        const problem = new Problem(this.#asProblemSession(), given, known.length, row);
        this.#latest.set(worker, problem);
        return problem;
      }
      if (Date.now() >= deadline)
        throw new NoAnswer(
          `no problem has come for ${this.#deadlines.waitMs / 1000} s. Every arena is taken, or none can be made: \`microremed clusters list\` shows them`,
        );
    }
  }

  /**
   * Solves all problems, `parallel` at once, and gives their rows. `makeAgent` makes an agent for each problem, which has its further
   * attempts too. What an agent throws ends its problem unsolved and is in the row's `error`; errors of the range end the run.
   */
  async run(
    makeAgent: () => Solver,
    { parallel = 1 }: { readonly parallel?: number } = {},
  ): Promise<readonly Row[]> {
    if (!(Number.isInteger(parallel) && parallel >= 1))
      throw new RangeError(`parallel is ${parallel}; expected a whole number of at least 1`);
    const work = async (name: string): Promise<void> => {
      let agent: Solver | undefined;
      for await (const problem of this.worker(name)) {
        if (problem.turn === 1) agent = undefined;
        agent ??= makeAgent();
        await this.#solve(agent, problem);
      }
    };
    await Promise.all(Array.from({ length: parallel }, (_, number) => work(`w${number + 1}`)));
    return this.rows();
  }

  /** How far the experiment is, and what each worker has. */
  show() {
    const path = { params: { path: { id: this.id } } };
    return this.#ask((signal) => this.#routes.GET("/v1/sessions/{id}", { ...path, signal }));
  }

  /** What is known of each problem that has begun, in the order in which they began. */
  rows(): readonly Row[] {
    return [...this.#rows.values()].map((row) => ({ ...row }));
  }

  /** The share of the problems so far that were passed. */
  score(): Score {
    return scoreOf(this.rows());
  }

  /** Ends the session. The experiment that it has started is cancelled, unless it has ended. */
  async close(): Promise<void> {
    if (this.#closing.signal.aborted) return;
    await Promise.all([...this.#latest.values()].map((problem) => this.#settle(problem))).catch(
      () => undefined,
    );
    clearInterval(this.#heart);
    this.#closing.abort();
    const path = { params: { path: { id: this.id } } };
    await ask((signal) => this.#routes.DELETE("/v1/sessions/{id}", { ...path, signal }), {
      withinMs: answerMs,
    }).catch((error: unknown) => {
      // It was silent for too long, or the answer to a first request was lost.
      if (!(error instanceof Refused && error.code === "unknown-session")) throw error;
    });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #solve(agent: Solver, problem: Problem): Promise<void> {
    try {
      await agent.solve(problem);
    } catch (error) {
      if (error instanceof TurnOver) problem.ended = true;
      else if (error instanceof MicroRemedError) throw error;
      else {
        const text = String(error).slice(0, 500);
        this.#rowOf(problem.name).error = text;
        await giveUp(problem, text);
      }
    }
  }

  /** Waits until a problem that was handed in has its outcome, or comes again. */
  async #settle(problem: Problem): Promise<void> {
    if (!problem.ended || ![...this.#latest.values()].includes(problem)) return;
    if (this.#rows.get(problem.name)?.outcome != null) return;
    const deadline = Date.now() + Math.min(outcomeMs, this.#deadlines.waitMs);
    for (let pause = 50; Date.now() < deadline; pause = Math.min(1_000, 2 * pause)) {
      const { workers } = await this.show();
      const at = workers.find((one) => one.problem === problem.name);
      if (!at || at.again) return;
      if (at.over) return this.#note(at);
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }

  #rowOf(problem: string): Row {
    const known = this.#rows.get(problem);
    if (known) return known;
    const row: Row = {
      ...{ session: this.id, experiment: this.experiment, agent: this.agent, problem },
      ...{ task: "", attempts: 0, outcome: null, calls: 0, refused: 0 },
      ...{ promptTokens: 0, completionTokens: 0, cost: null, error: null },
    };
    this.#rows.set(problem, row);
    return row;
  }

  #note({ problem, outcome }: { readonly problem: string; readonly outcome: string | null }): void {
    const row = this.#rows.get(problem);
    if (row) row.outcome ??= outcome;
  }

  #asProblemSession(): ProblemSession {
    const path = (problem: string) => ({ params: { path: { id: this.id, problem } } });
    return {
      callMs: this.#deadlines.callMs,
      call: (problem, body) =>
        this.#ask(
          (signal) =>
            this.#routes.POST("/v1/sessions/{id}/problems/{problem}/calls", {
              ...path(problem),
              body,
              signal,
            }),
          body.waitSeconds ?? 0,
        ),
      leave: (problem, body) =>
        this.#ask(
          (signal) =>
            this.#routes.POST("/v1/sessions/{id}/problems/{problem}/leave", {
              ...path(problem),
              body,
              signal,
            }),
          body.waitSeconds ?? 0,
        ),
    };
  }

  #ask<T>(send: Parameters<typeof ask<T>>[0], waitSeconds = 0): Promise<T> {
    if (this.#closing.signal.aborted)
      return Promise.reject(new Refused("the session is closed", { code: "unknown-session", status: 404 }));
    this.#lastSign = Date.now();
    const sending: Sending = { withinMs: waitSeconds * 1000 + answerMs, signal: this.#closing.signal };
    return ask(send, sending);
  }

  async #beat(): Promise<void> {
    if (Date.now() - this.#lastSign > this.#deadlines.longestThinkMs) return;
    const path = { params: { path: { id: this.id } } };
    // A heartbeat that is lost is followed by the next one; the session's own requests say what is wrong.
    await ask((signal) => this.#routes.POST("/v1/sessions/{id}/heartbeat", { ...path, body: {}, signal }), {
      withinMs: 10_000,
      signal: this.#closing.signal,
    }).catch(() => undefined);
  }
}

async function giveUp(problem: Problem, reason: string): Promise<void> {
  await problem.leave(reason).catch((error: unknown) => {
    if (!(error instanceof TurnOver)) throw error;
    problem.ended = true;
  });
}
