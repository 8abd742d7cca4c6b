import { NoAnswer, TurnOver } from "./errors.ts";
import type { components, paths } from "./openapi.ts";
import type { Row } from "./rows.ts";

type Next = Extract<components["schemas"]["Next"], { status: "problem" }>;
type Left = NonNullable<
  paths["/v1/sessions/{id}/problems/{problem}/leave"]["post"]["requestBody"]
>["content"]["application/json"];
type CallResult = components["schemas"]["CallResult"];
type LeaveResult = components["schemas"]["LeaveResult"];
/** What an agent may call; `parameters` is the JSON schema of its arguments. */
export type Tool = Next["tools"][number];

/** How long one request waits for the end of a problem that is left, s. */
const leaveSeconds = 10;

/** What came of a call. */
export interface Answer {
  /** As a model gets it. */
  readonly text: string;
  /** False: the tool was not run, and the text says why. */
  readonly ran: boolean;
  /** The turn is over: it was submitted, or a limit is reached. */
  readonly ended: boolean;
}

/** What an agent has used up, as its own word. `cost`: US dollars; `seconds`: that it thought. */
export interface Spent {
  readonly promptTokens?: number;
  readonly completionTokens?: number;
  readonly cost?: number;
  readonly seconds?: number;
}

/** What a problem asks of its session. */
export interface ProblemSession {
  /** Longest that a call waits for its answer, ms. */
  readonly callMs: number;
  call(problem: string, body: components["schemas"]["CallInput"]): Promise<CallResult>;
  leave(problem: string, body: Left): Promise<LeaveResult>;
}

/**
 * A turn of a problem: its first attempt, a further attempt, or the next task of a cycle. Call its tools, then `submit`. A problem that
 * was handed in wrong comes again with `attempt` 2, as long as its limits allow.
 */
export class Problem {
  /** Of this problem in this session; it says nothing else. */
  readonly name: string;
  readonly attempt: number;
  /** `detection`, `localization`, `analysis`, `mitigation`. */
  readonly task: string;
  /** Something may be changed. */
  readonly mayAct: boolean;
  /** The report and the question, or what came of the attempt before. Give them to the model as they are. */
  readonly words: string;
  readonly tools: readonly Tool[];
  readonly limits: Next["limits"];
  /** 1 in the problem's first turn of this session: an agent begins its history then. */
  readonly turn: number;
  ended = false;
  readonly #session: ProblemSession;
  readonly #row: Row;
  /** What is meant for this turn is done in no other: after a lost arena the same attempt is another turn. */
  readonly #named: string;
  #spent: Partial<Record<keyof Spent, number>> = {};

  constructor(session: ProblemSession, given: Next, turn: number, row: Row) {
    this.#session = session;
    this.#row = row;
    this.turn = turn;
    this.#named = given.turn;
    this.name = given.problem;
    this.attempt = given.attempt;
    this.task = given.task;
    this.mayAct = given.mayAct;
    this.words = given.words;
    this.tools = given.tools;
    this.limits = given.limits;
  }

  /** JSON schema of the answer that `submit` takes; undefined: the system is to be repaired, and `submit` takes nothing. */
  get asks(): Readonly<Record<string, unknown>> | undefined {
    const schema = this.tools.find(({ name }) => name === "submit")?.parameters as
      | Record<string, unknown>
      | undefined;
    return Object.keys((schema?.["properties"] as object | undefined) ?? {}).length > 0 ? schema : undefined;
  }

  /** The tools as OpenAI's chat completions take them. */
  openaiTools(): { readonly type: "function"; readonly function: Tool }[] {
    return this.tools.map((tool) => ({ type: "function", function: tool }));
  }

  /** Adds to what the agent has used up; it is sent with the next call. Throws `RangeError` for what is no number of at least 0. */
  spend(spent: Spent): void {
    for (const [field, value] of Object.entries(spent) as [keyof Spent, number | undefined][]) {
      if (value === undefined) continue;
      if (!(value >= 0 && Number.isFinite(value)))
        throw new RangeError(`${field} is ${value}; expected a number of at least 0`);
      this.#spent[field] = (this.#spent[field] ?? 0) + value;
    }
  }

  /**
   * Calls a tool and waits for its answer. It is made once, also if the network breaks meanwhile. Throws `TurnOver` when the turn is
   * over, `NoAnswer` at the session's deadline for calls.
   */
  async call(tool: string, args: Readonly<Record<string, unknown>> = {}): Promise<Answer> {
    if (this.ended)
      throw new TurnOver("the turn is over; ask for the next problem", { code: "turn-over", status: 409 });
    const result = await this.#untilAnswered(tool, args).catch((error: unknown) => {
      if (error instanceof TurnOver) this.ended = true;
      throw error;
    });
    this.#row.calls += 1;
    if (result.status === "ended") {
      this.ended = true;
      return { text: result.reason, ran: true, ended: true };
    }
    if (!result.ran) this.#row.refused += 1;
    return { text: result.text, ran: result.ran, ended: false };
  }

  /** Hands in the answer by the schema in `asks`, or says that the system is repaired. An answer of the wrong form is not taken. */
  submit(answer: Readonly<Record<string, unknown>> = {}): Promise<Answer> {
    return this.call("submit", answer);
  }

  /** Gives the problem up: it ends unsolved. Waits until the range says so; throws `NoAnswer` at the session's deadline for calls. */
  async leave(reason = ""): Promise<void> {
    if (this.ended) return;
    const spent = this.#takeSpent();
    await this.#untilLeft({ reason: reason.slice(0, 500), turn: this.#named, ...(spent && { spent }) });
    this.ended = true;
    this.#row.error ??= reason.slice(0, 500) || "given up";
  }

  /** The same again while the range has not said that the turn has ended: it may not have got it. */
  async #untilLeft(body: Omit<Left, "waitSeconds">): Promise<void> {
    const deadline = Date.now() + this.#session.callMs;
    for (;;) {
      const waitSeconds = Math.max(0, Math.min(leaveSeconds, Math.floor((deadline - Date.now()) / 1000)));
      const { status } = await this.#session.leave(this.name, { ...body, waitSeconds });
      if (status !== "pending") return;
      if (Date.now() >= deadline)
        throw new NoAnswer(
          `${this.name} was left, and the range has not ended it for ${this.#session.callMs / 1000} s; leave it again, or close the session`,
        );
    }
  }

  /** The same request with the same id until there is an answer: so the call is made once. */
  async #untilAnswered(tool: string, args: Readonly<Record<string, unknown>>) {
    const spent = this.#takeSpent();
    const body = {
      id: crypto.randomUUID().replaceAll("-", ""),
      tool,
      turn: this.#named,
      arguments: { ...args },
      ...(spent && { spent }),
    };
    const deadline = Date.now() + this.#session.callMs;
    for (;;) {
      const waitSeconds = Math.max(0, Math.min(50, Math.floor((deadline - Date.now()) / 1000)));
      const result = await this.#session.call(this.name, { ...body, waitSeconds });
      if (result.status !== "pending") return result;
      if (Date.now() >= deadline)
        throw new NoAnswer(
          `${tool} has not answered for ${this.#session.callMs / 1000} s; what it does is not known`,
        );
    }
  }

  #takeSpent(): Spent | undefined {
    const spent = this.#spent;
    this.#spent = {};
    if (Object.keys(spent).length === 0) return undefined;
    this.#row.promptTokens += spent.promptTokens ?? 0;
    this.#row.completionTokens += spent.completionTokens ?? 0;
    if (spent.cost !== undefined) this.#row.cost = (this.#row.cost ?? 0) + spent.cost;
    return spent;
  }
}
