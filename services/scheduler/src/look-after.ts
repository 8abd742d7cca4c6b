import { type EpisodeRecord, experimentIdOf, type Stage } from "@microremed/contracts";
import { applyEvent, planOf } from "./apply-event.ts";
import { stageOut } from "./episode-event.ts";
import type { SchedulerDeps } from "./scheduler.types.ts";
import type { EpisodePlan } from "./stage-command.ts";
import { looksAfter, nextLook } from "./stage-deadline.ts";
import { commandMessage } from "./step-messages.ts";

/**
 * Looks after a stage that has been out for long, whatever became of its messages: one past its deadline is lost; a
 * result that is stored is taken though nobody brought it; a command that nobody works on is sent again. Where it only
 * waits in its queue that is one message too many, which is answered with the first one's result.
 */
export async function lookAfter(deps: SchedulerDeps, episodeId: string): Promise<void> {
  if (await applyEvent(deps, episodeId, { kind: "overdue" })) return;
  const [record, experiment] = await Promise.all([
    deps.state.episodes.get(episodeId),
    deps.state.experiments.get(experimentIdOf(episodeId)),
  ]);
  const stage = record && stageOut[record.state];
  if (!record || !stage || !experiment) return;
  const plan = planOf(deps, experiment.record, record);
  const lookAt = nextLook(record, plan, deps.now());
  await findLost(deps, record, stage, plan);
  if (lookAt !== undefined) await deps.state.episodes.lookAgain(episodeId, lookAt);
}

async function findLost(
  deps: SchedulerDeps,
  record: EpisodeRecord,
  stage: Stage,
  plan: EpisodePlan,
): Promise<void> {
  const { id: episodeId, trial, attempt, timings } = record;
  const key = { episodeId, trial, attempt, stage };
  const result = await deps.state.results.get(key);
  if (result) {
    deps.log.warn({ ...key }, "the message of a result is late or lost; the stored result is taken");
    await applyEvent(deps, episodeId, { kind: "result", result });
    return;
  }
  if (await deps.state.claims.isHeld(key)) return;
  const outMs = deps.now() - (timings.at(-1)?.startedAt ?? 0);
  const message = commandMessage(record, plan);
  if (!message) return;
  deps.log.warn({ ...key, seconds: Math.round(outMs / 1000) }, "nobody works on a command; it is sent again");
  const { subject, body, msgId, headers } = message;
  // The first one's id would have the server drop it; schedulers that look at once send it once.
  await deps.bus.publish(subject, body, { msgId: `${msgId}/${looksAfter(outMs)}`, headers });
}
