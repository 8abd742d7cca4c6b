import {
  type ChatMessage,
  type JudgeReply,
  type JudgeRequest,
  mostJudgeCharacters,
  noUsage,
} from "@microremed/contracts";
import { estimateTokens } from "@microremed/llm";
import type { State } from "@microremed/state";
import { askOnce } from "./ask-once.ts";
import type { CheckModelDeps } from "./check-model.ts";

export interface AskModelDeps extends CheckModelDeps, Pick<State, "conversations"> {}

/** Puts one question to a model, without tools. Throws `unknown-model`, and what its endpoint fails with. */
export async function askModel(
  request: JudgeRequest,
  { models, connectModel, recorded, conversations }: AskModelDeps,
): Promise<JudgeReply> {
  const { model, system, question, timeoutSeconds } = request;
  if (recorded) return recorded.answer(request);
  const endpoint = models.resolve(model);
  const messages: ChatMessage[] = [
    { role: "system", content: system },
    { role: "user", content: question },
  ];
  const { content, usage, exchange } = await askOnce(request, conversations, async () => {
    const client = connectModel(endpoint, { timeoutMs: timeoutSeconds * 1000 });
    const reply = await client.complete({ messages });
    const said = reply.content.slice(0, mostJudgeCharacters);
    return { role: "assistant", content: said, toolCalls: [], usage: reply.usage, exchange: reply.exchange };
  });
  const said: ChatMessage = { role: "assistant", content, toolCalls: [] };
  return {
    content,
    usage: {
      ...{ ...noUsage, ...usage, calls: 1, modelSeconds: (exchange?.milliseconds ?? 0) / 1000 },
      estimatedTokens: estimateTokens([...messages, said]),
    },
  };
}
