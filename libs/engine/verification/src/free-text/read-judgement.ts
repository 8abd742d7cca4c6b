import { z } from "@microremed/catalogue";
import { type Judgement, mostJudgementReason } from "@microremed/contracts";
import { parseJson } from "@microremed/core";

const fenced = /^```(?:json)?\s*([\s\S]*?)\s*```$/;

/**
 * What a model answered to a `freeTextQuestion`; undefined: it is not the one JSON object that was asked for, with the
 * word of the question. An object that the model repeats from the text lacks that word, and text around one is no answer.
 */
export function readJudgement(
  content: string,
  check: string,
): Pick<Judgement, "correct" | "reason"> | undefined {
  const whole = content.trim();
  const schema = z.strictObject({ check: z.literal(check), reason: z.string(), correct: z.boolean() });
  const read = schema.safeParse(parseJson(fenced.exec(whole)?.[1] ?? whole));
  if (!read.success) return undefined;
  return { correct: read.data.correct, reason: read.data.reason.slice(0, mostJudgementReason) };
}
