import type { Solution } from "@microremed/catalogue";
import {
  addUsage,
  type ChatMessage,
  noUsage,
  type Observation,
  type TurnCost,
  type Usage,
} from "@microremed/contracts";
import { estimateTokens } from "@microremed/llm/estimate-tokens";
import type { HandedIn } from "./handed-in.ts";
import { observationsIn } from "./observations.ts";
import { probesIn } from "./progress.ts";
import { saidIn } from "./talk.ts";
import type { TurnContext } from "./turn-context.ts";

/** What a turn cost, and what was seen in it. */
export type Cost = Required<Pick<TurnCost, "usage" | "probes" | "toolClusterMs">> & {
  readonly observations: Observation[];
};

/** What a turn hands in: an action, or an answer. */
export function handedInAs(
  { end, arguments: args }: HandedIn,
  source: "tool-call" | "text",
  task: { readonly isAnswered: boolean },
): Solution {
  if (end.tool.kind === "submit" && !task.isAnswered)
    return { status: "done", reason: "the agent submitted: it has done what it will do" };
  if (end.tool.kind === "submit") return { status: "submit", answer: args, source };
  return { status: "act", tool: end.tool.name, arguments: args, source };
}

/**
 * What a turn cost in all its conversations, read from what was said in them since its last action: what was before is in
 * that action's step.
 */
export function costOf({ talk, attempt, offer }: Pick<TurnContext, "talk" | "attempt" | "offer">): Cost {
  const all = saidIn(talk, attempt);
  const said = all.slice(all.findLastIndex((message) => message.role === "tool" && message.acted) + 1);
  return {
    usage: usageIn(said),
    probes: probesIn(said),
    toolClusterMs: said.reduce((sum, one) => sum + (one.role === "tool" ? (one.clusterMs ?? 0) : 0), 0),
    observations: observationsIn(said, offer),
  };
}

function usageIn(messages: readonly ChatMessage[]): Usage {
  const calls = messages.flatMap((message): Usage[] =>
    message.role === "assistant" && message.usage
      ? [
          {
            ...noUsage,
            ...message.usage,
            calls: 1,
            ...(message.exchange && { modelSeconds: message.exchange.milliseconds / 1000 }),
          },
        ]
      : [],
  );
  return { ...calls.reduce(addUsage, noUsage), estimatedTokens: estimateTokens(messages) };
}
