import type { ExperimentRequest } from "@microremed/contracts";

/** What an experiment is on: its environment, or the problems that it names. */
export function subjectOf({
  environment,
  problems,
}: Pick<ExperimentRequest, "environment" | "problems">): string {
  if (environment !== undefined) return environment;
  return typeof problems === "string" ? `those of ${problems}` : `those of ${problems?.length ?? 0} problems`;
}
