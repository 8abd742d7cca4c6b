import type { ToolCall } from "@microremed/contracts";
import { type ChatReply, callsInText, type ToolSpec } from "@microremed/llm";
import { z } from "zod";

/** Most characters of what an agent says at once: the longest playbook with every character escaped, and words. */
const mostText = 262_144;

/** What an agent does in one step: a call of a tool, or text in which a call is looked for. */
export const Action = z.union([
  z.strictObject({
    tool: z.string().min(1).max(100).describe("name of one of the tools that were offered"),
    arguments: z.record(z.string(), z.unknown()).default({}).describe("by the tool's schema"),
    text: z
      .string()
      .max(mostText)
      .optional()
      .describe("words beside the call, such as the thought before it"),
    metadata: z.record(z.string(), z.unknown()).optional().describe("ignored: OpenEnv's actions have it"),
  }),
  z.strictObject({
    text: z
      .string()
      .max(mostText)
      .describe(
        'what a model wrote. A call in it is found: <tool_call>{"name": ..., "arguments": {...}}</tool_call>, `Action:` with `Action Input:`, or JSON alone',
      ),
    metadata: z.record(z.string(), z.unknown()).optional().describe("ignored: OpenEnv's actions have it"),
  }),
]);
export type Action = z.output<typeof Action>;

/** An action as a model's answer, the `number`th of the episode: free text is read as that of a model is in a range. */
export function replyOf(action: Action, tools: readonly ToolSpec[], number: number): ChatReply {
  const { content, calls, isInText } = read(action, tools);
  return {
    content,
    toolCalls: calls.map((call, i): ToolCall => ({ id: `c${number}-${i + 1}`, ...call })),
    usage: { promptTokens: 0, completionTokens: 0, cachedTokens: 0, reasoningTokens: 0, cost: null },
    exchange: {
      ...{ model: "gym", endpoint: "session", dialect: "session", settings: {}, said: {} },
      ...{
        tools: tools.map(({ name }) => name),
        startedAt: 0,
        milliseconds: 0,
        waitedMs: 0,
        failedTries: [],
      },
      ...{
        finishReason: calls.length > 0 ? "tool-calls" : "stop",
        usageReported: false,
        callsInText: isInText,
      },
    },
  };
}

function read(action: Action, tools: readonly ToolSpec[]) {
  if ("tool" in action) {
    const { tool: name, arguments: given, text: content = "" } = action;
    return { content, calls: [{ name, arguments: JSON.stringify(given) }], isInText: false };
  }
  const found = callsInText(action.text, tools);
  return found
    ? { content: found.before, calls: found.calls, isInText: true }
    : { content: action.text, calls: [], isInText: false };
}
