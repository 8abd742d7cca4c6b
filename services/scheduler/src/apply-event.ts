import { type EpisodeRecord, type ExperimentRecord, experimentIdOf } from "@microremed/contracts";
import { AppError } from "@microremed/core";
import { advance, type EpisodeEvent, messagesOf, nextCheck } from "@microremed/episode";
import { finishExperiment } from "./finish-experiment.ts";
import { planOf } from "./plan-of.ts";
import { claimMs, publishClaimed } from "./relay-outbox.ts";
import type { SchedulerDeps } from "./service.types.ts";

/** Schedulers that meet at one episode: each loser reads again; none loses this often in a row. */
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
  for (let tries = 0; ; tries++) {
    // A step from what is remembered fails on the version if it has become old; that there is none, only Redis can say.
    const found = tries === 0 ? remembered(deps, episodeId) : await read(deps, episodeId);
    if (!found && tries > 0) return undefined;
    if (!found) continue;
    const { record, experiment } = found;
    const plan = planOf(deps, experiment, record);
    const now = deps.now();
    const step = advance(record, plan, event, now);
    if (!step && tries > 0) return undefined;
    if (!step) continue;
    await deps.modelWatch.note(record, plan, event);
    if (event.kind === "result") await deps.clusterWatch.note(record, plan, event.result);
    // Forgotten meanwhile, with the connection to Redis.
    if (tries === 0 && deps.state.episodes.latest(episodeId) !== record) continue;
    try {
      const { allDone, messages } = await deps.state.episodes.transition(record.version, {
        next: step.record,
        messages: messagesOf(record, step, plan, now),
        claimMs,
        effect: step.effect,
        checkAt: nextCheck(step.record, plan, now),
      });
      deps.onStep({ before: record, after: step.record, event, plan, startedAt: now, endedAt: deps.now() });
      // What cannot be published now stays in the outbox, for the scheduler that relays it.
      await publishClaimed(deps, messages);
      await follow(deps, step.record, allDone);
      return step.record;
    } catch (thrown) {
      if (AppError.from(thrown).code !== "version-conflict" || tries >= maxConflicts) throw thrown;
    }
  }
}

interface Found {
  readonly record: EpisodeRecord;
  readonly experiment: ExperimentRecord;
}

function remembered({ state }: SchedulerDeps, episodeId: string): Found | undefined {
  const record = state.episodes.latest(episodeId);
  const experiment = state.experiments.latest(experimentIdOf(episodeId));
  return record && experiment && { record, experiment };
}

async function read({ state }: SchedulerDeps, episodeId: string): Promise<Found | undefined> {
  const [record, experiment] = await Promise.all([
    state.episodes.get(episodeId),
    state.experiments.get(experimentIdOf(episodeId)),
  ]);
  return record && experiment && { record, experiment: experiment.record };
}

/** What a step leads to outside of its episode. */
async function follow(deps: SchedulerDeps, record: EpisodeRecord, allDone: boolean): Promise<void> {
  const { id, experimentId, state } = record;
  if (state === "done" || state === "planned") deps.dispatchSoon();
  // A cancellation passes over an episode whose agent has made a move that is not judged yet.
  if (state === "planned" || state === "solving") {
    const experiment = await deps.state.experiments.get(experimentId);
    if (experiment?.cancelled) await applyEvent(deps, id, { kind: "cancel", by: experiment.cancelledBy });
  }
  if (allDone) await finishExperiment(deps, experimentId);
}
