import type { EvidenceCall, FailureReport, Fault } from "@microremed/catalogue";
import type { JsonSchema } from "./answers.ts";

/** What a policy decides by: everything comes from the messages of the request, nothing is kept between requests. */
export interface Situation {
  readonly report: FailureReport;
  /** 1 for the first attempt of the episode. */
  readonly attempt: number;
  /** Of the episode's attempt; what a policy draws, it draws from this. */
  readonly seed: number;
  readonly canProbe: boolean;
  /** What the probes of this attempt returned. */
  readonly observations: readonly string[];
  /** Names of the tools that are offered. */
  readonly tools: readonly string[];
  /** What calls of tools returned since the system was last changed, or `askAgain` was called, by `keyOf`. */
  readonly answers: ReadonlyMap<string, string>;
  /**
   * How often `askAgain` was called; null: it is not to be. A watch is asked again anyway, and who has just repaired what was found
   * hands it in.
   */
  readonly pausesBefore: number | null;
  /** What an answer must be; null: none is asked for, the system is to be repaired. */
  readonly answer: JsonSchema | null;
}

/** The same for the same call. */
export const keyOf = ({ tool, arguments: args }: EvidenceCall): string => JSON.stringify([tool, args]);

/** What an agent reads instead of an answer when it may observe no more. */
export const isRefused = (answer: string): boolean => answer.startsWith("Not run: ");

export type Move =
  | { readonly probe: string }
  | { readonly call: EvidenceCall }
  /** `command`: the same in the shell; absent: there is nothing to do. */
  | { readonly playbook: string; readonly command?: string }
  | { readonly answer: Readonly<Record<string, unknown>> };

/** Lets pass what a fault that comes and goes may rest, before everything is asked once more. No evidence waits as long. */
export const askAgain = { tool: "wait", arguments: { seconds: 40 } } as const satisfies EvidenceCall;

/** What an expert has read: the fault library. */
export type Library = readonly Pick<Fault, "name" | "runbook" | "cause" | "evidence">[];

/** A fixed rule in the place of a language model: same situation, same move. */
export interface Policy {
  repair(situation: Situation, library: Library): Move;
  answer(situation: Situation & { readonly answer: JsonSchema }, library: Library): Move;
}
