import { type JudgeReply, type JudgeRequest, noUsage, Usage } from "@microremed/contracts";
import { terminal, withoutDetails } from "@microremed/core";
import { z } from "zod";
import { inWordsOf } from "./handlers/ask-once.ts";

/** What was said by judges in a saved episode; what is not read here is left out. */
export const JudgedSteps = z
  .array(z.unknown())
  .catch([])
  .transform((steps) => steps.flatMap((step) => Judged.safeParse(step).data ?? []));

const said = z.object({
  model: z.string(),
  question: z.string(),
  answer: z.string(),
  usage: Usage.catch(noUsage),
});
const graded = z.object({ judgement: said });
const Judged = z.union([
  z.object({ result: graded }).transform(({ result }) => result.judgement),
  z.object({ grade: graded }).transform(({ grade }) => grade.judgement),
]);
export type RecordedJudgement = z.output<typeof said>;

/** Judges that answer as they did in the recordings: no model is called. */
export interface RecordedJudge {
  readonly names: readonly string[];
  /** Throws terminal `not-recorded` for a question that was not put to that model. */
  answer(request: Pick<JudgeRequest, "model" | "question">): JudgeReply;
}

export function createRecordedJudge(judgements: readonly RecordedJudgement[]): RecordedJudge {
  return {
    names: [...new Set(judgements.map(({ model }) => model))],
    answer: ({ model, question }) => {
      const wanted = withoutDetails(question);
      const found = judgements.find((one) => one.model === model && withoutDetails(one.question) === wanted);
      if (!found)
        throw terminal("not-recorded", `the recordings have no such question to the judge ${model}`);
      return { content: inWordsOf(question, found.question, found.answer), usage: found.usage };
    },
  };
}
