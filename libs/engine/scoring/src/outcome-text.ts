import { defaultTask, noFailure, type Outcome } from "@microremed/contracts";

/** What a report says of an episode's outcome. A healthy system has nothing that could be remediated. */
export function outcomeText({
  outcome,
  failure,
  task = defaultTask,
}: {
  readonly outcome: Outcome | null;
  readonly failure: string;
  readonly task?: string | undefined;
}): string {
  if (outcome === null) return "running";
  if (failure !== noFailure || task !== defaultTask) return outcome;
  if (outcome === "remediated") return "kept healthy";
  return outcome === "not-remediated" ? "not kept healthy" : outcome;
}
