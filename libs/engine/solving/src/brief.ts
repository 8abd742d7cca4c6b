import type { FailureReport, Task } from "@microremed/catalogue";
import { situation } from "./situation.ts";

/** What an agent is given at the start of a task: the report, and the question. */
export function briefOf(report: FailureReport, task: Pick<Task, "question">): string {
  return situation(report, task.question(report));
}
