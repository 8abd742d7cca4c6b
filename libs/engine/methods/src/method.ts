import type { BudgetName, ChatMessage, Probe, ProbeReply, SolveCommand, Usage } from "@microremed/contracts";
import type { Logger } from "@microremed/core";
import type { ChatClient } from "@microremed/llm";

/** What one turn of a method works with. It is the whole of its reach: a turn keeps nothing between calls. */
export interface TurnContext {
  readonly command: SolveCommand;
  /** Everything said in the episode so far; longer than expected when an earlier delivery of this turn died. */
  readonly conversation: readonly ChatMessage[];
  readonly chat: ChatClient;
  /** Looks at the arena, with its read-only credentials. */
  readonly probe: (probe: Probe) => Promise<ProbeReply>;
  /**
   * Waits for a person's playbook, as long as `seconds`. The person is told that it was taken when `take` is through
   * with it; resolves to false when nobody gave one.
   */
  readonly awaitPlaybook: (seconds: number, take: (playbook: string) => Promise<void>) => Promise<boolean>;
  /** Stores messages at the end of the conversation, all of them or none. */
  readonly append: (messages: readonly ChatMessage[]) => Promise<void>;
  /** Wall clock, ms; only differences count. */
  readonly now: () => number;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

interface TurnCost {
  readonly usage: Usage;
  /** Looks at the arena in this turn. */
  readonly probes: number;
}

/** `source` is `text` when the model called no tool and the playbook was read from a YAML block of its answer. */
export type TurnResult =
  | (TurnCost & {
      readonly kind: "playbook";
      readonly playbook: string;
      readonly source: "tool-call" | "text";
    })
  /** Only where the method is not told the verdict: it holds that nothing more is to be done. */
  | (TurnCost & { readonly kind: "done"; readonly reason: string })
  | (TurnCost & {
      readonly kind: "no-playbook";
      readonly reason: string;
      /** The budget that ran out: no attempt can follow. */
      readonly exhausted?: BudgetName;
    });

/** A way to get from a failure report to a playbook. */
export interface Method {
  readonly name: string;
  readonly description: string;
  /** True: a person writes the playbooks, no model is called. */
  readonly byHand?: boolean;
  /** How many attempts an episode gets of the `requested` ones. */
  maxAttempts(requested: number): number;
  /**
   * One turn: from the report, or the feedback on the last attempt, to a playbook or none.
   * What the model gets wrong ends in `no-playbook`; what the transport or the harness gets wrong throws.
   */
  runTurn(context: TurnContext): Promise<TurnResult>;
}

/** Declares a method; the type is checked here and nothing else happens. */
export function defineMethod(method: Method): Method {
  return method;
}
