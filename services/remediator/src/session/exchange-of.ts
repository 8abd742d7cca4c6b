import {
  addUsage,
  type Exchange,
  noUsage,
  type Spent,
  type ToolCall,
  type Usage,
} from "@microremed/contracts";
import type { ChatReply, ChatRequest } from "@microremed/llm";

/** A call that an outside agent has made. */
export interface MadeCall {
  readonly call: ToolCall;
  readonly spent: Spent | undefined;
  /** When it arrived, wall clock, ms. */
  readonly at: number;
}

/** What an agent says of its thinking when it leaves, without a call. */
export type SaidLast = Omit<MadeCall, "call">;

/**
 * A call of an outside agent as the answer of a model: what the agent says that it cost is its own word, how long it took is
 * measured from when the last answer was there.
 */
export function replyOf(
  { call, spent, at }: SaidLast & Partial<MadeCall>,
  {
    model,
    askedAt,
    tools = [],
  }: { readonly model: string; readonly askedAt: number } & Pick<ChatRequest, "tools">,
): ChatReply {
  const exchange: Exchange = {
    ...{ model, endpoint: "session", dialect: "session", tools: tools.map(({ name }) => name), settings: {} },
    ...{
      startedAt: Math.round(askedAt),
      milliseconds: Math.max(0, at - askedAt),
      waitedMs: 0,
      failedTries: [],
    },
    ...{ finishReason: call ? "tool-calls" : "stop", usageReported: spent !== undefined, callsInText: false },
    said: spent?.seconds === undefined ? {} : { seconds: spent.seconds },
  };
  return { content: "", toolCalls: call ? [call] : [], usage: callUsageOf(spent), exchange };
}

/** What several calls of an outside agent cost that were not made, by its own word. */
export function usageOf(all: readonly (Spent | undefined)[]): Usage {
  const said = all.filter((spent) => spent !== undefined);
  return said.map((spent) => ({ ...noUsage, ...callUsageOf(spent) })).reduce(addUsage, noUsage);
}

function callUsageOf(spent: Spent | undefined): ChatReply["usage"] {
  const { promptTokens = 0, completionTokens = 0, cost = null } = spent ?? {};
  return { promptTokens, completionTokens, cachedTokens: 0, reasoningTokens: 0, cost };
}
