import type { ChatMessage } from "@microremed/contracts";
import type { Incident, Part } from "@microremed/dataset";
import type { ToolSpec } from "@microremed/llm";
import type { CaseRequest } from "../episode/case-request.ts";
import type { RewardParts } from "../reward/rubric.ts";
import type { Course } from "./expert.ts";
import type { Refusal } from "./play-trace.ts";

/** What decides every byte of a set of traces, with the version of the harness and how many are wanted. */
export interface TraceRecipe {
  readonly suite: string;
  readonly environments: readonly string[];
  readonly seed: number;
  /** Investigations of each case. */
  readonly perCase: number;
  /** Cluster time after a recovery before everything is checked again, s. */
  readonly soakSeconds: number;
  readonly acting: "commands" | "playbook" | "both";
  /** What experts are asked; each comes as often as any other. */
  readonly tasks: readonly string[];
  /** Share of the cases in which nothing is wrong, percent. */
  readonly controls: number;
}

/** One case, which several experts work on. */
export interface TraceCase {
  readonly index: number;
  readonly part: Part;
  readonly incident: Pick<Incident, "environment" | "fault" | "target" | "mechanism">;
  readonly request: CaseRequest;
  /** Faults that an expert may suspect: of the same part, so that no trace speaks of what is held out from it. */
  readonly others: readonly string[];
}

/** What a trace is of. */
export interface TraceLabels extends Pick<TraceCase, "part"> {
  readonly environment: string;
  readonly fault: string;
  readonly mechanism: string;
  readonly target: string;
  /** Null: the fault's own values. */
  readonly strength: string | null;
  readonly report: string;
  readonly concealment: string;
  readonly acting: string;
  readonly task: string;
}

/** An investigation that is an example. */
export interface Trace {
  /** Of all traces of the set. */
  readonly id: string;
  readonly conversation: readonly ChatMessage[];
  readonly course: Course;
  readonly reward: number;
  readonly parts: RewardParts;
  readonly steps: number;
}

/** What came of a case. */
export interface CaseTraces {
  readonly index: number;
  readonly labels: TraceLabels;
  /** What was offered at the beginning. */
  readonly tools: readonly ToolSpec[];
  readonly traces: readonly Trace[];
  /** Why the others are no examples: how often. */
  readonly refused: Readonly<Partial<Record<Refusal | "not started", number>>>;
}
