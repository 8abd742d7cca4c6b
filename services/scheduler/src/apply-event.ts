import { type EpisodeRecord, type ExperimentRecord, experimentIdOf } from "@microremed/contracts";
import { AppError } from "@microremed/core";
import type { EpisodeEvent } from "./episode-event.ts";
import { advance } from "./episode-machine.ts";
import { finishExperiment } from "./finish-experiment.ts";
import { claimMs, publishClaimed } from "./relay-outbox.ts";
import type { SchedulerDeps } from "./scheduler.types.ts";
import type { EpisodePlan } from "./stage-command.ts";
import { nextLook } from "./stage-deadline.ts";
import { messagesOf } from "./step-messages.ts";

/** Schedulers that meet at one episode: each loser reads again; nobody loses this often in a row. */
const maxConflicts = 20;

/**
 * Lets an event happen to an episode: record, command, events and arena change in one step. Returns the new record, or
 * `undefined` when the event does not concern the episode as it is.
 */
export async function applyEvent(
  deps: SchedulerDeps,
  episodeId: string,
  event: EpisodeEvent,
): Promise<EpisodeRecord | undefined> {
  for (let conflicts = 0; ; conflicts++) {
    const [record, experiment] = await Promise.all([
      deps.state.episodes.get(episodeId),
      deps.state.experiments.get(experimentIdOf(episodeId)),
    ]);
    if (!record || record.state === "done" || !experiment) return undefined;
    const plan = planOf(deps, experiment.record, record);
    const now = deps.now();
    const step = advance(record, plan, event, now);
    if (!step) return undefined;
    if (event.kind === "result") await deps.clusterWatch.note(record, plan, event.result);
    try {
      const { done, total, messages } = await deps.state.episodes.transition(record.version, {
        next: step.record,
        messages: messagesOf(record, step, plan, now),
        claimMs,
        effect: step.effect,
        lookAt: nextLook(step.record, plan, now),
      });
      deps.onStep({ before: record, after: step.record, event, plan, startedAt: now, endedAt: deps.now() });
      // What cannot be published now stays in the outbox, for whoever relays it.
      await publishClaimed(deps, messages);
      await follow(deps, step.record, experiment.cancelled, done === total);
      return step.record;
    } catch (thrown) {
      if (AppError.from(thrown).code !== "version-conflict" || conflicts >= maxConflicts) throw thrown;
    }
  }
}

/** What the machine knows of an episode's experiment. */
export function planOf(
  { catalog }: Pick<SchedulerDeps, "catalog">,
  { request, submittedAt }: ExperimentRecord,
  { method }: EpisodeRecord,
): EpisodePlan {
  return { request, submittedAt, maxAttempts: catalog.maxAttempts(method, request.maxAttempts) };
}

/** What a step leads to outside of its episode. */
async function follow(
  deps: SchedulerDeps,
  record: EpisodeRecord,
  cancelled: boolean,
  allDone: boolean,
): Promise<void> {
  if (record.state === "done" || record.state === "planned") deps.wakeDispatcher();
  if (record.state === "planned" && cancelled) await applyEvent(deps, record.id, { kind: "cancel" });
  if (allDone) await finishExperiment(deps, record.experimentId);
}
