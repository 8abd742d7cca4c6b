import type { ToolSpec } from "@microremed/llm";
import type { RewardParts } from "./reward/rubric.ts";

/** What an agent is given: nothing in it says what is wrong. */
export interface Observation {
  readonly episode_id: string;
  /** At the beginning the problem's words; then the tool's answer, or what came of the attempt. */
  readonly text: string;
  /** What it is asked now. */
  readonly task: string;
  /** Whether it may change the system. */
  readonly may_act: boolean;
  /** From 1. */
  readonly attempt: number;
  /** Answers so far, and how many it has at most. */
  readonly step_count: number;
  readonly max_steps: number;
  /** Tools that it may call next, with the JSON schema of their arguments; only where they are others than before. */
  readonly tools?: readonly ToolSpec[];
  /** Of an episode that is over: what its reward is made of. */
  readonly reward_parts?: RewardParts;
  /** Of an episode that is over without a reward: the harness failed. Leave it out. */
  readonly error?: string;
}

/** As OpenEnv has it. `reward` null: there is none yet, or the episode says nothing of the agent. */
export interface Result {
  readonly observation: Observation;
  readonly reward: number | null;
  readonly done: boolean;
}

/** Of an episode, for every client. */
export interface PublicState {
  readonly episode_id: string | null;
  readonly step_count: number;
  readonly done: boolean;
}

/** For the trainer alone: what is wrong, what was measured, what was said. */
export interface PrivateState extends PublicState {
  readonly case: {
    readonly id: string;
    readonly environment: string;
    readonly fault: string;
    readonly target: string;
  };
  readonly truth: readonly unknown[];
  readonly outcome: string | null;
  readonly reason: string | null;
  readonly record: unknown;
  readonly conversation: readonly unknown[];
}
