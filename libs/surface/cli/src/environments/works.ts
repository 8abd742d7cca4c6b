import type { EnvironmentCheck } from "@microremed/import";

/** Whether a system is as its author wants it: everything Ready, Jobs ended well, users answered, each target with a baseline, and each path of its loads answered rightly. */
export const works = (
  check: Pick<EnvironmentCheck, "problem" | "jobs" | "requests" | "baselines" | "journeys">,
): boolean =>
  check.problem === "" &&
  check.jobs.length === 0 &&
  check.baselines.length === 0 &&
  (check.requests?.answered ?? 0) > 0.99 &&
  check.journeys.every(({ answered }) => answered);
