import { hasCondition, type KubeObject } from "@microremed/cluster";
import type { Change } from "@microremed/contracts";
import { changeOf, type Expected } from "../expected.ts";
import { jobTemplatesOf, whatRuns } from "../job-templates.ts";
import { ownersAmong } from "../owners.ts";
import type { ArenaObjects } from "../read-arena.ts";

/**
 * Unfinished Jobs that name a CronJob as their owner and do not match any CronJob's template: neither one of now, nor one of the
 * deployed system, of the episode's noises, or of the moment after the injection. A CronJob keeps every Job that names it, so the
 * name proves nothing.
 */
export function jobChanges(
  { mark, record, withNoise = [], ...expected }: Expected,
  { objects }: ArenaObjects,
): Change[] {
  const known = new Set([
    ...jobTemplatesOf([...record, ...withNoise, ...objects]),
    ...(mark?.jobTemplates ?? []),
  ]);
  const ownerOf = ownersAmong(objects);
  return objects
    .filter((job) => job.kind === "Job" && ownerOf(job) && !isOver(job) && !known.has(whatRuns(job)))
    .map((job) => changeOf({ ...expected, mark }, "added", job, "foreign", "its CronJob makes no such Job"));
}

const isOver = (job: KubeObject): boolean => hasCondition(job, "Complete") || hasCondition(job, "Failed");
