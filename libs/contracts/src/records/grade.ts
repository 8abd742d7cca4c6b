import { z } from "zod";
import { ModelName } from "../ids.ts";
import { Usage } from "./usage.ts";

/** Longest reason of a judgement, characters. */
export const mostJudgementReason = 500;

/** What a model said of the free text of an answer. It decides nothing. */
export const Judgement = z.strictObject({
  model: ModelName,
  correct: z
    .boolean()
    .nullable()
    .describe("whether the text names what is wrong; null: there is no judgement"),
  reason: z.string().max(mostJudgementReason).describe("the model's reason, or why there is no judgement"),
  usage: Usage.describe("of the judging model; in no sum of the agent's"),
  question: z
    .string()
    .optional()
    .describe("what it was asked, for a replay; absent: it was not asked, or before this was kept"),
  answer: z.string().optional().describe("what it answered; absent as `question`"),
});
export type Judgement = z.infer<typeof Judgement>;

/** How well an answer, or what was done, fits: a score from 0 to 1, with the parts it is made of. */
export const Grade = z.strictObject({
  passed: z.boolean(),
  score: z.number().min(0).max(1),
  parts: z.record(z.string(), z.number().min(0).max(1)).describe("parts of the score by name"),
  reason: z.string().describe("one sentence"),
  alarm: z
    .boolean()
    .optional()
    .describe("whether the answer says that something is wrong; absent: it says neither, or none was read"),
  judgement: Judgement.optional().describe(
    "of the free text in the answer, by the model that the request names; absent: none is named, or there is no text",
  ),
});
export type Grade = z.infer<typeof Grade>;

/** Whether the system recovered, as a grade. */
export function gradeOfVerdict({ recovered, reason }: { recovered: boolean; reason: string }): Grade {
  return { passed: recovered, score: recovered ? 1 : 0, parts: {}, reason };
}
