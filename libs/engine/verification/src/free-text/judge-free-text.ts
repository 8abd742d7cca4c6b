import { randomUUID } from "node:crypto";
import type { GroundTruth } from "@microremed/catalogue";
import {
  type GradeCommand,
  type Judgement,
  type JudgeReply,
  type JudgeRequest,
  mostJudgementReason,
  noUsage,
} from "@microremed/contracts";
import { AppError } from "@microremed/core";
import { freeTextQuestion } from "./free-text-question.ts";
import { readJudgement } from "./read-judgement.ts";

/** Puts one question to the model that it names. Throws what keeps the model from answering. */
export type AskJudge = (request: JudgeRequest) => Promise<JudgeReply>;

/**
 * Has a model say whether a free text names what is wrong. What goes wrong with that is the harness's: the judgement is
 * then empty, with the reason. Throws only the signal's reason.
 */
export async function judgeFreeText(
  text: string,
  truths: readonly GroundTruth[],
  { model, timeoutSeconds }: NonNullable<GradeCommand["judge"]>,
  ask: AskJudge,
  signal?: AbortSignal,
): Promise<Judgement> {
  const check = randomUUID();
  const empty = (reason: string, usage = noUsage): Judgement => ({
    ...{ model, correct: null, reason: reason.slice(0, mostJudgementReason), usage },
  });
  try {
    const request = { model, timeoutSeconds, ...freeTextQuestion(text, truths, check) };
    const { content, usage } = await ask(request);
    const said = readJudgement(content, check);
    const kept = { question: request.question, answer: content };
    return {
      ...(said ? { model, ...said, usage } : empty("its answer does not have the form asked for", usage)),
      ...kept,
    };
  } catch (thrown) {
    signal?.throwIfAborted();
    const { code, message } = AppError.from(thrown);
    return empty(`${code}: ${message}`);
  }
}
