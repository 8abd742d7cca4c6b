import type { KubeObject } from "@microremed/cluster";
import type { Change } from "@microremed/contracts";
import { isJsonObject } from "@microremed/core";
import { changeOf, type Expected } from "../expected.ts";
import { jobTemplatesOf, whatRuns } from "../job-templates.ts";
import { ownersAmong } from "../owners.ts";
import type { ArenaObjects } from "../read-arena.ts";

/**
 * Jobs at work that are said to be a CronJob's, and that none makes: not by its template of now, nor by that of the system, of the
 * episode's noises, or of the fault. A CronJob lets no Job go, so that its name on one proves nothing.
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

function isOver({ status }: KubeObject): boolean {
  const conditions = isJsonObject(status) ? status["conditions"] : undefined;
  return (
    Array.isArray(conditions) &&
    conditions.some(({ type, status: is }) => (type === "Complete" || type === "Failed") && is === "True")
  );
}
