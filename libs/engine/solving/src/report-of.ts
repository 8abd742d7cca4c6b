import { type FailureReport, symptomsOf } from "@microremed/catalogue";
import type { SolveCommand } from "@microremed/contracts";

/** The diagnosis that a command carries. */
export function reportOf(command: SolveCommand): FailureReport {
  const { environment, arena, failure, target, diagnosis = { kind: "oracle" } } = command;
  const place = { environment, namespace: arena.namespace };
  switch (diagnosis.kind) {
    case "oracle":
      return { ...place, failure, target };
    case "symptoms":
      return { ...place, symptoms: symptomsOf(diagnosis.measurements) };
    case "none":
      return place;
    default:
      return diagnosis satisfies never;
  }
}
