import type { ExperimentRequest } from "@microremed/contracts";

/** What an experiment is on: its environment, or the problems that it names. */
export function subjectOf({
  environment,
  problems,
}: Pick<ExperimentRequest, "environment" | "problems">): string {
  if (environment !== undefined) return environment;
  return typeof problems === "string" ? `the problems of ${problems}` : named(problems ?? []);
}

const named = (problems: readonly string[]): string =>
  problems.length === 1 ? `the problem ${problems[0]}` : `${problems.length} problems`;
