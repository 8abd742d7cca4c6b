import { defineTask, gradeOfVerdict } from "@microremed/catalogue";
import { question } from "./question.ts";

/** MicroRemed's task: repair what has failed. What counts is the live system, not what was said about it. */
export default defineTask({
  name: "mitigation",
  title: "Repair the failure",
  mayAct: true,
  answer: null,
  question: (report, acting = "playbook") => question(report, acting),
  outcomes: { passed: "remediated", failed: "not-remediated" },
  grade: async ({ verify }) => gradeOfVerdict(await verify()),
});
