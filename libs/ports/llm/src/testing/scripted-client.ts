import type { Exchange } from "@microremed/contracts";
import type { ChatClient, ChatReply, ChatRequest } from "../chat.types.ts";

/** How an exchange went, whatever was said in it. */
export const anExchange = (change: Partial<Exchange> = {}): Exchange => ({
  model: "some-model",
  endpoint: "http://model/v1",
  dialect: "compatible",
  tools: [],
  settings: {},
  startedAt: 0,
  milliseconds: 1_000,
  waitedMs: 0,
  failedTries: [],
  finishReason: "stop",
  usageReported: true,
  callsInText: false,
  ...change,
});

/** One call of a tool: its name and arguments. */
export type ToolAndArguments = readonly [tool: string, args: object];

/** Takes a language model's place: `next` says which tool it calls, one in each reply, at one token each way. */
export function scriptedClient(model: string, next: (request: ChatRequest) => ToolAndArguments): ChatClient {
  return {
    model,
    complete: async (request): Promise<ChatReply> => {
      const [name, args] = next(request);
      const id = `call-${request.messages.length}`;
      return {
        content: "",
        toolCalls: [{ id, name, arguments: JSON.stringify(args) }],
        usage: { promptTokens: 1, completionTokens: 1, cachedTokens: 0, reasoningTokens: 0, cost: 0 },
        exchange: anExchange({ model, finishReason: "tool_calls" }),
      };
    },
  };
}
