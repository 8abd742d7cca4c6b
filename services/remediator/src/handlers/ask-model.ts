import {
  type ChatMessage,
  type JudgeReply,
  type JudgeRequest,
  mostJudgeCharacters,
  noUsage,
} from "@microremed/contracts";
import { terminal } from "@microremed/core";
import { estimateTokens } from "@microremed/llm";
import type { CheckModelDeps } from "./check-model.ts";

/** Puts one question to a model, without tools. Throws `unknown-model`, and what its endpoint fails with. */
export async function askModel(
  { model, system, question, timeoutSeconds }: JudgeRequest,
  { models, connectModel, recorded }: CheckModelDeps,
): Promise<JudgeReply> {
  const endpoint = models.resolve(model);
  if (recorded)
    throw terminal("invalid-config", "models answer from a recording, which has no answers of judges");
  const messages: ChatMessage[] = [
    { role: "system", content: system },
    { role: "user", content: question },
  ];
  const client = connectModel(endpoint, { timeoutMs: timeoutSeconds * 1000 });
  const { content, usage, exchange } = await client.complete({ messages });
  const said: ChatMessage = { role: "assistant", content, toolCalls: [] };
  return {
    content: content.slice(0, mostJudgeCharacters),
    usage: {
      ...{ ...noUsage, ...usage, calls: 1, modelSeconds: exchange.milliseconds / 1000 },
      estimatedTokens: estimateTokens([...messages, said]),
    },
  };
}
