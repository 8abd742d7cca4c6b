import type { AttemptFeedback, BudgetName, ChatMessage, Feedback } from "@microremed/contracts";
import type { Rng } from "@microremed/core";
import type { Entry, Unmarked } from "./entry.ts";
import type { FailureReport } from "./failure-report.ts";
import type { Acting } from "./task.ts";

/** The task as the agent gets it. */
export interface AgentTask {
  readonly name: string;
  /** True: something may be done about the system. */
  readonly mayAct: boolean;
  /** JSON schema of the answer that is to be submitted; null: none is, the system is to be changed. */
  readonly answer: Readonly<Record<string, unknown>> | null;
}

/** The answer to a tool call that an agent's own code made. */
export interface Called {
  /** False: it was not run, and `text` says why: its arguments are wrong, or a budget is used up. */
  readonly ran: boolean;
  /** Of a command that ended; null: the tool runs none, or it was stopped or refused, as `text` says. */
  readonly exitCode: number | null;
  /** What the tool answered, at most 65,536 characters: of a longer text the middle is left out, and it says so. */
  readonly text: string;
}

/** How a turn's loop differs from the usual one. */
export interface LoopOptions {
  /**
   * Is asked after tools have answered and before the model is asked again; its words are appended to the last answer.
   * `said`: everything of this turn.
   */
  readonly afterObservation?: (said: readonly ChatMessage[]) => Promise<string | undefined>;
}

/** How an agent's published version asks its model. What a models file sets otherwise goes before it. */
export interface AgentSettings {
  readonly temperature?: number;
  readonly topP?: number;
  /** Most tokens of an answer. */
  readonly maxTokens?: number;
  /** Tokens (of four characters) to which the conversation is cut, the oldest answers first. */
  readonly historyTokens?: number;
  /** Most model calls of one turn. */
  readonly steps?: number;
}

/** What an agent works with. It is the whole of its reach: an agent keeps nothing between calls. */
export interface AgentContext {
  /** Only of an agent that is played `byHand`: the person hands in a playbook for it. It says which case this is. */
  readonly episodeId?: string;
  readonly task: AgentTask;
  /** What is known of the incident. */
  readonly report: FailureReport;
  /** The report and the task's question in words: every agent gives every model the same. */
  readonly situation: string;
  /** Where the task allows changes: by commands within the turn, or by a playbook that ends it. */
  readonly acting: Acting;
  /** From 1. */
  readonly attempt: number;
  readonly maxAttempts: number;
  /** Calls of observing tools in this attempt. */
  readonly maxProbes: number;
  /** Wall clock that one of them may take, s. */
  readonly probeSeconds: number;
  /** What the agent gets to know after an attempt. */
  readonly feedback: Feedback;
  /** What came of the attempt before; null: this is the first. */
  readonly lastAttempt: AttemptFeedback | null;
  /**
   * The usual way: the model observes as often as it likes and may, until it acts, submits or says that it is done.
   * `opening` begins this turn: messages of the system's and the user's, at last one of the user's. That of a later attempt is
   * made from `lastAttempt` and does not repeat the first one's.
   */
  readonly loop: (opening: readonly ChatMessage[], options?: LoopOptions) => Promise<Solution>;
  /**
   * Asks the model beside the turn, in a conversation of its own, of which the turn's sees nothing. `name` is unlike that
   * of any other such question of the attempt, at most 60 characters. With `observing` the model may call the agent's
   * tools before it answers, but change nothing. Resolves to its words. Its calls count as all others do; a budget that
   * has run out ends the turn.
   */
  readonly consult: (question: {
    readonly name: string;
    readonly opening: readonly ChatMessage[];
    readonly observing?: boolean;
  }) => Promise<string>;
  /** One question, one answer: nothing to observe, no second call. */
  readonly once: (opening: readonly ChatMessage[]) => Promise<Solution>;
  /**
   * Calls a tool that observes, one of the agent's `tools`, from the agent's own code: with the budgets, the limits and
   * the record of a model's call. Calls run one after the other. When the turn is delivered again after a crash, the
   * answers of finished calls are those of before, so the code must make the same calls again: what it does may depend
   * on this context and on the answers alone. Throws for a tool that the agent does not have; arguments that are no JSON, or too
   * large, are answered as wrong ones are.
   */
  readonly call: (tool: string, args?: Readonly<Record<string, unknown>>) => Promise<Called>;
  /** Ends the turn with an action, e.g. `act("run_playbook", { playbook })`. Throws where the task allows none. */
  readonly act: (tool: string, args: Readonly<Record<string, unknown>>) => Promise<Solution>;
  /** Ends the turn with the answer to the task; one that does not fit its schema is none. */
  readonly submit: (answer?: Readonly<Record<string, unknown>>) => Promise<Solution>;
  /** Ends the turn without an action or an answer. `reason`: why, in words for the report. */
  readonly stop: (reason: string) => Promise<Solution>;
  /**
   * Random numbers of the experiment, the case and the attempt. They are the same when a turn is delivered again; in another
   * experiment only where its request names the same key (`agentSeed`). Without that key they do not show which case this is.
   */
  readonly random: Rng;
  /** A person in place of a model; `opening` is what the person is shown. */
  readonly byHand: (opening: readonly ChatMessage[]) => Promise<Solution>;
}

/**
 * How a turn ended. What an agent or its model gets wrong ends in `nothing`. What the turn cost is not in it: the range counts that
 * by itself.
 */
export type Solution =
  | {
      readonly status: "act";
      /** Name of the tool's entry. */
      readonly tool: string;
      readonly arguments: Readonly<Record<string, unknown>>;
      /** The turn goes on after it; absent: it ends the turn. */
      readonly goesOn?: true;
      /** Wall clock that it may take, s: what is left of the episode's budget. Absent: no more than any action. */
      readonly atMostSeconds?: number;
      /** text: the model called no tool, it was read from its answer's text. */
      readonly source: "tool-call" | "text";
    }
  | {
      readonly status: "submit";
      readonly answer: Readonly<Record<string, unknown>>;
      readonly source: "tool-call" | "text";
    }
  /** Only where the agent isn't given the verdict: it holds that nothing more is to be done. */
  | { readonly status: "done"; readonly reason: string }
  | {
      readonly status: "nothing";
      readonly reason: string;
      /** The budget that ran out: no attempt can follow. */
      readonly exhausted?: BudgetName;
    };

/** Who solves: a way to get from a report and a question to an action or an answer. */
export interface Agent extends Entry<"agent"> {
  readonly description: string;
  /** Names of the tasks that it can do; `all`: also those that others add. */
  readonly tasks: readonly string[] | "all";
  /**
   * Names of the tools that it uses, in the order in which models are shown them. None: it doesn't observe. `run_playbook`
   * and `submit` come from the task and need not be named.
   */
  readonly tools: readonly string[];
  /** How its model is asked; default: as the models file says. Rule-based models are asked as always. */
  readonly settings?: AgentSettings;
  /** True: a person writes the answers, no model is called. */
  readonly byHand?: boolean;
  /** True: its own code decides and no model is called. Its episodes have the model `none`. */
  readonly code?: boolean;
  /** True: a program outside of the range decides, in a session; its episodes have the model `session/<agent>`. */
  readonly outside?: boolean;
  /** How many attempts an episode gets of the `requested` ones. */
  maxAttempts(requested: number): number;
  /**
   * One turn: from the report, or from what came of the last attempt, to a solution, which is what one of the context's functions
   * has resolved to. What it throws is the agent's failure: the attempt ends without an action or an answer.
   */
  solve(context: AgentContext): Promise<Solution>;
}

/** What decides in an agent's turns. */
export type Solver = "model" | "person" | "code" | "session";

/** Whether a model, a person, the agent's own code or a program in a session decides. */
export const solverOf = ({ byHand, code, outside }: Pick<Agent, "byHand" | "code" | "outside">): Solver => {
  if (byHand === true) return "person";
  if (outside === true) return "session";
  return code === true ? "code" : "model";
};

/** Whether an agent can do a task. */
export const canDo = ({ tasks }: Pick<Agent, "tasks">, task: string): boolean =>
  tasks === "all" || tasks.includes(task);

/** The same for a task that may have parts: it must do all of them. */
export const canDoAll = (
  agent: Pick<Agent, "tasks">,
  { name, parts = [name] }: { readonly name: string; readonly parts?: readonly string[] },
): boolean => parts.every((part) => canDo(agent, part));

/** Declares an agent; the type is checked here and nothing else happens. */
export function defineAgent(agent: Unmarked<Agent>): Agent {
  return { ...agent, entry: "agent" };
}
