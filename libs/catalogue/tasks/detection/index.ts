import { defineTask, z } from "@microremed/catalogue";
import { knownAnswers } from "./known-answers.ts";

/** Is something wrong at all? The failure `none` is the case in which the right answer is no. */
export default defineTask({
  name: "detection",
  title: "Say whether something is wrong",
  question: ({ environment, namespace }) =>
    `Say whether anything is wrong with the system ${environment} in namespace ${namespace} at this moment. It may be that nothing is. Observe before you answer; repair nothing.`,
  answer: z.strictObject({
    anomaly: z.boolean().describe("true: something is wrong with the system"),
  }),
  mayAct: false,
  known: knownAnswers,
  grade: async ({ truth, answer }) => {
    const isWrong = truth.objects.length > 0;
    const passed = answer.anomaly === isWrong;
    const said = answer.anomaly ? "something was said to be wrong" : "nothing was said to be wrong";
    const reason = `${said}, and ${isWrong ? "something was" : "nothing was"}`;
    return { passed, score: passed ? 1 : 0, parts: {}, reason, alarm: answer.anomaly };
  },
});
