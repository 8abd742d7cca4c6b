import { type FailureReport, symptomsOf, type Task } from "@microremed/catalogue";
import type { SolveCommand } from "@microremed/contracts";

/** The diagnosis that a command carries. What is asked for is not given: a task with an answer gets no oracle's report. */
export function reportOf(command: SolveCommand, { answer }: Pick<Task, "answer">): FailureReport {
  const { environment, arena, failure, target, diagnosis = { kind: "oracle" } } = command;
  const place = { environment, namespace: arena.namespace };
  switch (diagnosis.kind) {
    case "oracle":
      return answer === null ? { ...place, failure, target } : place;
    case "symptoms":
      return { ...place, symptoms: symptomsOf(diagnosis.measurements) };
    case "none":
      return place;
    default:
      return diagnosis satisfies never;
  }
}
