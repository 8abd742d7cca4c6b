import { type EpisodeRecord, experimentIdOf, stageOut } from "@microremed/contracts";
import { checksAfter, commandMessage, type EpisodePlan, nextCheck } from "@microremed/episode";
import type { StageKey } from "@microremed/state";
import { applyEvent } from "./apply-event.ts";
import { planOf } from "./plan-of.ts";
import { type Service, unservedMs } from "./queue-watch.ts";
import type { SchedulerDeps } from "./service.types.ts";

/**
 * Checks a stage that has been out for long, whatever became of its messages: one past its deadline is lost; a
 * stored result is taken even if its message is lost; a command without a worker is sent again. One that waits
 * in a queue without a service is not lost, and not sent again either, unless its cluster has left the clusters file.
 */
export async function checkStage(deps: SchedulerDeps, episodeId: string): Promise<void> {
  const [record, experiment] = await Promise.all([
    deps.state.episodes.get(episodeId),
    deps.state.experiments.get(experimentIdOf(episodeId)),
  ]);
  const stage = record && stageOut[record.state];
  if (!record || !stage || !experiment) return;
  const plan = planOf(deps, experiment.record, record);
  const key = { episodeId, trial: record.trial, attempt: record.attempt, stage };
  const isAtWork = await deps.state.claims.isHeld(key);
  const service = isAtWork ? "served" : await serviceOf(deps, record, plan);
  if (service === "unknown") return deps.state.episodes.checkAgain(episodeId, deps.now() + unservedMs);
  if (
    await applyEvent(deps, episodeId, { kind: service === "served" ? "overdue" : unservedKind(deps, record) })
  )
    return;
  const checkAt = nextCheck(record, plan, deps.now());
  if (!isAtWork && service === "served") await findLost(deps, record, key, plan);
  if (checkAt !== undefined) await deps.state.episodes.checkAgain(episodeId, checkAt);
}

/** Services may come back to a queue, but not for a cluster that none of them knows any more. */
const unservedKind = ({ clusters }: SchedulerDeps, { arena }: EpisodeRecord) =>
  clusters().some(({ name }) => name === arena?.cluster) ? "unserved" : "cluster-removed";

/** Whether the command that is out may still wait in its queue because no service takes any from there. */
async function serviceOf(deps: SchedulerDeps, record: EpisodeRecord, plan: EpisodePlan): Promise<Service> {
  const command = commandMessage(record, plan);
  return command === undefined ? "served" : deps.serviceOf(command.subject, sentAt(record));
}

async function findLost(
  deps: SchedulerDeps,
  record: EpisodeRecord,
  key: StageKey,
  plan: EpisodePlan,
): Promise<void> {
  const result = await deps.state.results.get(key);
  if (result) {
    deps.log.warn({ ...key }, "the message of a result is late or lost; the stored result is taken");
    await applyEvent(deps, record.id, { kind: "result", result });
    return;
  }
  const outMs = deps.now() - sentAt(record);
  const message = commandMessage(record, plan);
  // What a command of an unknown task must hold is not known either; restoring is the same for all.
  if (!message || (plan.missing && key.stage !== "restore")) return;
  deps.log.warn({ ...key, seconds: Math.round(outMs / 1000) }, "a command has no worker; it is sent again");
  const { subject, body, msgId, headers } = message;
  // The first one's id would have the server drop it; schedulers that check it at the same time send it once.
  await deps.bus.publish(subject, body, { msgId: `${msgId}/${checksAfter(outMs)}`, headers });
}

const sentAt = ({ timings }: EpisodeRecord): number => timings.at(-1)?.startedAt ?? 0;
