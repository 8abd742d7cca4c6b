import { defineTask, identityOf, ObjectRef, wrongObjects, z } from "@microremed/catalogue";
import { compareObjects } from "./compare-objects.ts";
import { knownAnswers } from "./known-answers.ts";

/** Most objects of an answer. */
const mostObjects = 20;
/** Objects that a grade's reason names. */
const mostNamed = 5;

/** Which objects are wrong? The failure `none` is the case in which the right answer is an empty list. */
export default defineTask({
  name: "localization",
  title: "Name the objects that are wrong",
  question: ({ environment, namespace }) =>
    `Say which Kubernetes objects of the system ${environment} in namespace ${namespace} are the cause of what is wrong, the most likely first. Name the object that is wrong itself and not those that only suffer from it: the workload if it is in its pods or their template, the Service if it is in the Service, and so on. Every object that is not wrong counts against you. It may be that nothing is wrong: then hand in an empty list. Observe before you answer; repair nothing.`,
  answer: z.strictObject({
    objects: z
      .array(ObjectRef)
      .max(mostObjects)
      .describe("The objects that are wrong, the most likely first; empty: nothing is wrong"),
  }),
  mayAct: false,
  known: knownAnswers,
  grade: async ({ truths, answer, ...where }) => {
    const right = truths.flatMap(wrongObjects);
    const compared = compareObjects(answer.objects, right, where);
    const words = (objects: readonly ObjectRef[]): string => inWords(objects, where);
    return {
      passed: compared.exact === 1,
      score: compared.f1,
      parts: compared,
      alarm: answer.objects.length > 0,
      reason: `named ${words(answer.objects)}; wrong was ${words(right)}`,
    };
  },
});

function inWords(objects: readonly ObjectRef[], where: Parameters<typeof identityOf>[1]): string {
  const names = [...new Set(objects.map((object) => identityOf(object, where)))];
  if (names.length === 0) return "nothing";
  const more = names.length > mostNamed ? ` and ${names.length - mostNamed} more` : "";
  return names.slice(0, mostNamed).join(", ") + more;
}
