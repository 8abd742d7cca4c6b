import type { RemediateCommand } from "@microremed/contracts";
import type { FailureReport } from "./failure-report.ts";

/** The diagnosis that a command carries. */
export function reportOf(command: RemediateCommand): FailureReport {
  const { environment, arena, failure, target } = command;
  return { environment, namespace: arena.namespace, failure, target };
}
