import { defineTask, identityOf, wrongObjects, z } from "@microremed/catalogue";
import { Cause } from "./cause.ts";
import { compareCauses, meanOf } from "./compare-causes.ts";
import { knownAnswers } from "./known-answers.ts";
import { question } from "./question.ts";

/** Most causes of an answer: an incident has no more faults. */
const mostCauses = 8;

/** What is the root cause? The failure `none` is the case in which the right answer is an empty list. */
export default defineTask({
  name: "analysis",
  title: "Find the root cause",
  question,
  answer: z.strictObject({
    causes: z.array(Cause).max(mostCauses).describe("The root causes, usually one; empty: nothing is wrong"),
    explanation: z
      .string()
      .max(4000)
      .optional()
      .describe("The same in your own words; it does not change the grade"),
  }),
  mayAct: false,
  freeText: ({ explanation }) => explanation,
  known: knownAnswers,
  grade: async ({ truths, answer: { causes }, ...where }) => {
    const { parts, missed } = compareCauses(causes, truths, where);
    const { object = 0, mechanism = 0, system_level, fault_type } = parts;
    const said = causes.map((cause) => `${identityOf(cause.object, where)}: ${cause.mechanism}`);
    const right = truths.map(
      (truth) =>
        `${wrongObjects(truth)
          .map((one) => identityOf(one, where))
          .join(" and ")}: ${truth.mechanism}`,
    );
    const without = object === 1 && missed.length > 0 ? `; not right: ${missed.join(", ")}` : "";
    return {
      passed: object === 1 && mechanism === 1 && missed.length === 0,
      score: meanOf(parts),
      alarm: causes.length > 0,
      parts: {
        ...parts,
        ...(system_level !== undefined &&
          fault_type !== undefined && { aiopslab: Math.min(system_level, fault_type) }),
      },
      reason: `named ${said.join("; ") || "nothing"}; it was ${right.join("; ") || "nothing"}${without}`,
    };
  },
});
