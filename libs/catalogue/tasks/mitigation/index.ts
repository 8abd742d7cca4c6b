import { defineTask } from "@microremed/catalogue";
import { question } from "./question.ts";

/** MicroRemed's task: repair what has failed. What counts is the live system, not what was said about it. */
export default defineTask({
  name: "mitigation",
  title: "Repair the failure",
  mayAct: true,
  answer: null,
  question,
  grade: async ({ verify }) => {
    const { recovered, reason } = await verify();
    return { passed: recovered, score: recovered ? 1 : 0, parts: {}, reason };
  },
});
