import type { Task } from "@microremed/catalogue";
import { mitigationQuestion } from "./mitigation-question.ts";

/** What a turn needs of a task. */
export type SolvableTask = Pick<Task, "name" | "mayAct" | "answer" | "question">;

export const mitigation: SolvableTask = {
  name: "mitigation",
  mayAct: true,
  answer: null,
  question: mitigationQuestion,
};
