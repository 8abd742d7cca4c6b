import { traceHeaders } from "@microremed/bus";
import { type ExperimentRecord, type RangeEvent, subjects } from "@microremed/contracts";
import type { SchedulerDeps } from "./service.types.ts";

/** Closes an experiment whose episodes are all done; any number of schedulers may try, one does. */
export async function finishExperiment(
  { state, now, relaySoon }: Pick<SchedulerDeps, "state" | "now" | "relaySoon">,
  experimentId: string,
): Promise<void> {
  const experiment = await state.experiments.get(experimentId);
  if (experiment?.record.status !== "running") return;
  const at = now();
  const status = experiment.cancelled ? "cancelled" : "completed";
  const { total: episodes, cancelledBy } = experiment;
  const neverPlanned = experiment.record.episodes - episodes;
  const record: ExperimentRecord = {
    ...experiment.record,
    ...{ episodes, status, finishedAt: at },
    ...(cancelledBy && { cancelledBy }),
    ...(neverPlanned > 0 && { neverPlanned }),
  };
  const event: RangeEvent = { type: "experiment-finished", experimentId, at, status };
  const subject = subjects.event(experimentId, "-", event.type);
  const msgId = `${experimentId}/${event.type}`;
  await state.experiments.finish(record, [{ subject, body: event, msgId, headers: traceHeaders() }]);
  relaySoon();
}
