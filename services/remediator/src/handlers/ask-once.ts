import { setTimeout as delay } from "node:timers/promises";
import type { ChatMessage, JudgeReply, JudgeRequest } from "@microremed/contracts";
import { AppError, parseJson, terminal } from "@microremed/core";
import type { ConversationKey, Conversations } from "@microremed/state";

type Answer = Extract<ChatMessage, { role: "assistant" }>;

/** Between two looks for an answer that another process waits for, ms. */
const everyMs = 500;

/**
 * The answer to a judge's question, which is put once for each graded attempt, however often it is asked: a verifier that
 * died is followed by another one, and the model is paid. Throws terminal `model-unreachable` when who put it has died:
 * whether it was paid is not known, so it is not put again.
 */
export async function askOnce(
  request: JudgeRequest,
  conversations: Pick<Conversations, "read" | "append">,
  put: () => Promise<Answer>,
): Promise<Pick<JudgeReply, "content"> & Pick<Answer, "usage" | "exchange">> {
  const { episode, system, question } = request;
  if (!episode) return put();
  const key: ConversationKey = {
    ...{ episodeId: episode.episodeId, trial: episode.trial },
    beside: `judge of attempt ${episode.attempt}`,
  };
  const isOurs = await begin(key, system, question, conversations);
  if (isOurs) {
    const answer = await put();
    await conversations.append(key, 2, [answer]);
    return answer;
  }
  return awaited(key, request, conversations);
}

async function begin(
  key: ConversationKey,
  system: string,
  question: string,
  conversations: Pick<Conversations, "append">,
): Promise<boolean> {
  try {
    await conversations.append(key, 0, [
      { role: "system", content: system },
      { role: "user", content: question },
    ]);
    return true;
  } catch (thrown) {
    if (AppError.from(thrown).code !== "version-conflict") throw thrown;
    return false;
  }
}

async function awaited(
  key: ConversationKey,
  { question, timeoutSeconds }: JudgeRequest,
  conversations: Pick<Conversations, "read">,
): Promise<Answer> {
  const deadline = performance.now() + timeoutSeconds * 1000;
  for (;;) {
    const [, asked, answer] = await conversations.read(key);
    if (answer?.role === "assistant") {
      const content = inWordsOf(question, asked?.content ?? "", answer.content);
      return { ...answer, content };
    }
    if (performance.now() >= deadline)
      throw terminal(
        "model-unreachable",
        "the judge's answer was lost with who asked; it is not asked again",
      );
    await delay(everyMs);
  }
}

/** An answer to an earlier question as one to this question: each has a word of its own that the answer repeats. */
export function inWordsOf(question: string, earlier: string, answer: string): string {
  const [now, then] = [checkOf(question), checkOf(earlier)];
  return now === undefined || then === undefined ? answer : answer.replaceAll(then, now);
}

function checkOf(question: string): string | undefined {
  const read = parseJson(question);
  const check = typeof read === "object" && read !== null && "check" in read ? read.check : undefined;
  return typeof check === "string" && check !== "" ? check : undefined;
}
