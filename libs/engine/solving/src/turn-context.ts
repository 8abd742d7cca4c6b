import type { ArenaView } from "@microremed/catalogue";
import type { Budgets, SolveCommand } from "@microremed/contracts";
import type { Logger } from "@microremed/core";
import type { ChatClient } from "@microremed/llm";
import type { Offer } from "./offer.ts";
import type { Talk } from "./talk.ts";
import type { TurnEnd } from "./turn-end.ts";

/** What one turn works with. It keeps nothing between calls: everything is in the conversation. */
export interface TurnContext {
  readonly episodeId: string;
  readonly attempt: number;
  /** Calls of observing tools in this attempt. */
  readonly maxProbes: number;
  readonly budgets: Budgets;
  readonly offer: Offer;
  /** Most model calls of the turn. */
  readonly maxCalls: number;
  /** What came of the action after which the turn goes on; undefined: none is awaited. */
  readonly acted: SolveCommand["acted"];
  /** Whether the task has an answer that is submitted. */
  readonly isAnswered: boolean;
  /** What an action may take, s. */
  readonly actSeconds: number;
  /** Most characters of a tool's answer, whatever the tool says; undefined: as the tool says. */
  readonly maxResult: number | undefined;
  /** Whether words alone end the turn: the agent isn't given the verdict and is to say when it is done. */
  readonly mayBeDone: boolean;
  /** Everything said in the episode so far; longer than expected when an earlier delivery of this turn died. */
  readonly talk: Talk;
  readonly chat: ChatClient;
  readonly arena: ArenaView;
  /** What a person hands in for every attempt; null: the person is waited for. */
  readonly playbook: string | null;
  /**
   * Waits for a person's playbook, as long as `seconds`. The person gets to know that it was taken when `take` is
   * through with it; resolves to false when none was submitted.
   */
  readonly awaitPlaybook: (seconds: number, take: (playbook: string) => Promise<void>) => Promise<boolean>;
  /** Wall clock, ms; only differences count. */
  readonly now: () => number;
  readonly log: Logger;
  /** Aborted when the turn ends, too. */
  readonly signal: AbortSignal;
  readonly end: TurnEnd;
}
