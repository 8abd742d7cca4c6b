import { plannedRecord } from "@microremed/contracts";
import type { SchedulerDeps } from "./service.types.ts";

/** Episodes that are stored before any of them can run: a larger experiment is planned on as these run out. */
export const plannedAtOnce = 1_000;

/** Whether it is time to plan on. */
export function runsOut(waiting: number): boolean {
  return waiting <= plannedAtOnce / 2;
}

/**
 * Adds the next episodes to experiments of which few are left waiting, so that what an experiment holds in Redis does
 * not depend on how many episodes it will have. Any number of schedulers may try, one does.
 */
export async function planAhead(deps: SchedulerDeps, experimentIds: Iterable<string>): Promise<void> {
  const { experiments, episodes } = deps.state;
  for (const id of experimentIds) {
    const experiment = await experiments.get(id);
    if (!experiment || experiment.planned >= experiment.total) continue;
    if (!runsOut(await episodes.pendingCount(id))) continue;
    const { record, planned } = experiment;
    const next = deps.catalog.plan(record.request).episodes(planned, planned + plannedAtOnce / 2);
    const added = await experiments.extend(
      record,
      planned,
      next.map((one) => plannedRecord(id, one)),
    );
    if (added) deps.dispatchSoon();
  }
}
