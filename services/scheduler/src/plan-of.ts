import { drawsKeyOf, type EpisodeRecord, type ExperimentRecord, taskOf } from "@microremed/contracts";
import type { EpisodePlan } from "@microremed/episode";
import { namingService } from "@microremed/service-kit";
import type { SchedulerDeps } from "./service.types.ts";

/** Placeholders for what is not known; no step follows from them (see `missing`). */
const unknown: Pick<EpisodePlan, "maxAttempts" | "task"> = {
  maxAttempts: 1,
  task: { answered: false, mayAct: true, outcomes: { passed: "harness-error", failed: "harness-error" } },
};

/** What the machine knows of an episode's experiment. Never throws: what the catalogue lacks is `missing`. */
export function planOf(
  { catalog }: Pick<SchedulerDeps, "catalog">,
  experiment: ExperimentRecord,
  record: EpisodeRecord,
): EpisodePlan {
  const { request, submittedAt } = experiment;
  const known = { request, submittedAt, drawsKey: drawsKeyOf(experiment) };
  try {
    const maxAttempts = catalog.maxAttempts(
      record.method,
      record.problem?.limits?.maxAttempts ?? request.maxAttempts,
    );
    return { ...known, maxAttempts, task: catalog.task(taskOf(record)) };
  } catch (thrown) {
    const { code, message, details } = namingService("scheduler", thrown);
    return { ...known, ...unknown, missing: { code, message, details } };
  }
}
