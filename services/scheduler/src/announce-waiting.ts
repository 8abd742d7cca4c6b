import { type ClusterQuarantine, type RangeEvent, subjects } from "@microremed/contracts";
import type { SchedulerDeps } from "./service.types.ts";

/**
 * Says in an experiment's events that nothing of it can run and why: every ten minutes while that is so, as long as NATS
 * knows the id of the message before.
 */
export async function announceWaiting(
  { bus, state, now }: Pick<SchedulerDeps, "bus" | "state" | "now">,
  experimentId: string,
  quarantined: ReadonlyMap<string, ClusterQuarantine>,
): Promise<void> {
  const clusters = (await state.experiments.get(experimentId))?.record.request.clusters;
  const relevant = [...quarantined].filter(([name]) => clusters === undefined || clusters.includes(name));
  const why = relevant.slice(0, 5).map(([name, { reason }]) => `${name}: ${reason}`);
  const reason = `every cluster that it may use is quarantined, and is taken back once it answers (${why.join("; ")})`;
  const event: RangeEvent = {
    type: "experiment-waits",
    experimentId,
    at: now(),
    reason: reason.slice(0, 4_000),
  };
  const latest = Math.max(...relevant.map(([, { since }]) => since));
  await bus.publish(subjects.event(experimentId, "-", event.type), event, {
    msgId: `${experimentId}/waits/${latest}`,
  });
}
