import { Probe, type ProbeReply } from "@microremed/contracts";
import type { z } from "zod";
import type { Entry, Unmarked } from "./entry.ts";

/** What a tool that observes has of the arena. */
export interface ArenaView {
  readonly namespace: string;
  /**
   * Asks one question with the arena's read-only credentials: a shell command that only reads (`{ kind: "command" }`),
   * or its logs, events, metrics, topology. Throws retryable `executor-unavailable` when no executor answers.
   */
  readonly ask: (probe: Probe) => Promise<ProbeReply>;
  /** Wall clock that one question may take, s. */
  readonly seconds: number;
  readonly signal: AbortSignal;
  /** Whether the task allows that something is changed. Absent: no. */
  readonly mayAct?: boolean;
}

/**
 * A change that a tool asks for: the executor makes it with the agent's credentials, at most once, and the turn goes on
 * with what came of it. `tool` is one that the executor knows.
 */
export interface Act {
  readonly act: { readonly tool: string; readonly arguments: Readonly<Record<string, unknown>> };
}

interface ToolBase<S extends z.ZodType> extends Entry<"tool"> {
  /** The name that models call it by. Default: `name`. */
  readonly publishedAs?: string;
  /** What models are shown: what it does, in a sentence. */
  readonly description: string;
  /** What it takes: one object. Models are shown its JSON schema (of the input), calls are read with it. */
  readonly arguments: S;
  /** Arguments as they should be, for a model that gets them wrong; a text is shown as it stands. */
  readonly example: z.input<S> | string;
}

/** A tool that reads, or changes something in the middle of a turn: its answer goes back to the agent and the turn goes on. */
export interface ObserveTool<S extends z.ZodType = z.ZodType> extends ToolBase<S> {
  readonly kind: "observe";
  /** `read`: the arena's read-only credentials; `none`: it doesn't ask the arena; `write`: only where the task allows to act. */
  readonly rights: "read" | "none" | "write";
  /** True: it may answer with an `Act`. An agent with such a tool ends its turn by `submit`, and has no playbook unless it names that tool. */
  readonly acts?: true;
  /** `all`: every agent that observes gets it; default: those that name it. */
  readonly offeredTo?: "all";
  /** Most characters of its answer that the agent gets, the middle is left out. Default 4000, about 1000 tokens. */
  readonly maxResult?: number;
  /** Throws what the harness got wrong; what the agent got wrong is an answer. */
  run(args: z.output<S>, arena: ArenaView): Promise<ProbeReply | string | Act>;
}

/** How a tool that ends a turn is spoken of, and found in an answer that calls no tool. */
interface HandsIn {
  /** What is handed in, one word: `playbook`. */
  readonly noun: string;
  /** How it is called, for a model that called no tool: `print_playbook with ...`. */
  readonly usage: string;
  /** For models that write instead of calling: what of the text would do, in words, and its arguments if it is there. */
  readonly inText: {
    readonly form: string;
    readonly read: (text: string) => Readonly<Record<string, unknown>> | undefined;
  };
}

/** A tool that changes the system: the turn ends, and the executor runs it with the agent's credentials. */
export interface ActTool<S extends z.ZodType = z.ZodType> extends ToolBase<S> {
  readonly kind: "act";
  readonly rights: "write";
  readonly handsIn: HandsIn;
}

/** A tool that hands in the answer to a task: the turn ends and the task's grader gets it. Its arguments are the task's. */
export interface SubmitTool extends Omit<ToolBase<z.ZodType>, "arguments" | "example"> {
  readonly kind: "submit";
  readonly rights: "none";
  readonly handsIn: HandsIn;
}

/** Something that agents call. */
export type Tool = ObserveTool | ActTool | SubmitTool;

/** Declares a tool; the types are checked here and nothing else happens. */
export function defineTool<S extends z.ZodType>(tool: Unmarked<ObserveTool<S>>): ObserveTool;
export function defineTool<S extends z.ZodType>(tool: Unmarked<ActTool<S>>): ActTool;
export function defineTool(tool: Unmarked<SubmitTool>): SubmitTool;
export function defineTool(tool: Unmarked<ObserveTool> | Unmarked<ActTool> | Unmarked<SubmitTool>): Tool {
  return { ...tool, entry: "tool" };
}

/**
 * Declares a tool that asks the arena one question, which `probe` makes of its arguments. Arguments that fit the
 * schema but make no valid question are the model's mistake and are explained to it.
 */
export function defineProbeTool<S extends z.ZodObject>(tool: {
  readonly name: string;
  readonly description: string;
  readonly arguments: S;
  readonly example: z.input<S>;
  readonly offeredTo?: "all";
  readonly maxResult?: number;
  readonly probe: (args: z.output<S>) => z.input<typeof Probe>;
  /** Makes what the agent gets of an answer that is `ok`. Default: as it is. */
  readonly render?: (output: string) => string;
}): ObserveTool {
  const { probe, render, arguments: shown, ...rest } = tool;
  return {
    ...rest,
    entry: "tool",
    kind: "observe",
    rights: "read",
    arguments: shown.transform(probe).pipe(Probe),
    run: async (question, { ask }) => {
      const reply = await ask(Probe.parse(question));
      return render && reply.status === "ok" ? { ...reply, output: render(reply.output) } : reply;
    },
  };
}
