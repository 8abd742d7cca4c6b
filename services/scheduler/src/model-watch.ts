import {
  type EpisodeRecord,
  type ErrorInfo,
  ModelCheckReply,
  type ModelPause,
  type RangeEvent,
  subjects,
} from "@microremed/contracts";
import { AppError } from "@microremed/core";
import { type EpisodeEvent, type EpisodePlan, outageOf } from "@microremed/episode";
import { laneOf, type PausedModel } from "@microremed/state";
import { applyEvent } from "./apply-event.ts";
import { isolated } from "./isolated.ts";
import type { SchedulerDeps } from "./service.types.ts";

/** A model that is asked has so long to answer. */
const answerSeconds = 60;
const graceMs = 5_000;
/** From one question to the next; the time doubles up to the longest. */
const firstCheckMs = 10_000;
const longestCheckMs = 300_000;
/** Episodes ended in one go. */
const batch = 100;

/** Keeps episodes from being spent on a model whose provider fails. */
export interface ModelWatch {
  /** Is given every event that an episode takes. Costs nothing while all is well. */
  note(record: EpisodeRecord, plan: EpisodePlan, event: EpisodeEvent): Promise<void>;
}

type NoteDeps = Pick<SchedulerDeps, "bus" | "state" | "log" | "now">;

/** One failed turn is enough: it has tried for minutes before it gave up. */
export function createModelWatch(deps: NoteDeps): ModelWatch {
  return {
    note: async ({ experimentId, index, model }, { request }, event) => {
      const error = outageOf(event);
      if (error === undefined || request.timeouts.outageSeconds === 0) return;
      const paused = { experimentId, lane: laneOf(index, request.model.length) };
      const since = deps.now();
      const pause = { model, reason: reasonOf(error), since, checks: 0, checkAt: since + firstCheckMs };
      if (!(await deps.state.modelPauses.begin(paused, pause))) return;
      deps.log.warn({ experiment_id: experimentId, model, reason: pause.reason }, "a model is paused");
      await announce(deps, paused, pause, request.timeouts.outageSeconds);
    },
  };
}

/** Asks paused models again. Those that answer go on; those that have been out for too long lose their episodes. */
export async function checkPausedModels(deps: SchedulerDeps): Promise<void> {
  const paused = await deps.state.modelPauses.list();
  await Promise.all(
    paused.map(({ pause, ...model }) =>
      isolated(deps, "checking a paused model", () => checkOne(deps, model, pause), { model: pause.model }),
    ),
  );
}

async function checkOne(deps: SchedulerDeps, paused: PausedModel, pause: ModelPause): Promise<void> {
  const { state, now, log } = deps;
  const experiment = await state.experiments.get(paused.experimentId);
  if (experiment?.record.status !== "running") return void (await state.modelPauses.end(paused));
  const { outageSeconds } = experiment.record.request.timeouts;
  if (now() >= pause.since + outageSeconds * 1000) return giveUp(deps, paused, pause, outageSeconds);
  if (now() < pause.checkAt) return;
  const checks = pause.checks + 1;
  const next = { ...pause, checks, checkAt: now() + Math.min(longestCheckMs, firstCheckMs * 2 ** checks) };
  // Written first, so that the other schedulers do not ask as well.
  await state.modelPauses.update(paused, next);
  const trouble = await troubleOf(deps, pause.model);
  if (trouble === null) {
    await state.modelPauses.end(paused);
    log.info({ experiment_id: paused.experimentId, model: pause.model }, "a paused model answers again");
    return deps.dispatchSoon();
  }
  const known = { ...next, reason: reasonOf(trouble) };
  await state.modelPauses.update(paused, known);
  await announce(deps, paused, known, outageSeconds);
}

/** Null: it answers, or no remediator can ask it, so that only a turn can show it. */
async function troubleOf({ bus }: SchedulerDeps, model: string): Promise<ErrorInfo | null> {
  try {
    const options = { schema: ModelCheckReply, timeoutMs: answerSeconds * 1000 + graceMs };
    const request = { model, timeoutSeconds: answerSeconds };
    return (await bus.request(subjects.checkModel(model), request, options)).trouble;
  } catch (thrown) {
    const { code, message, details } = AppError.from(thrown);
    return code === "bus-unreachable" ? null : { code, message, details: { ...details } };
  }
}

/** The pause stays until the experiment ends: what comes back to the queue meanwhile ends here, too. */
async function giveUp(
  deps: SchedulerDeps,
  { experimentId, lane }: PausedModel,
  { model, reason }: ModelPause,
  outageSeconds: number,
): Promise<void> {
  const message = `the provider of ${model} has failed for more than ${outageSeconds} s (timeouts.outageSeconds): ${reason}`;
  const experiment = await deps.state.experiments.get(experimentId);
  const lanes = experiment?.record.request.model.length ?? 1;
  const waiting = await deps.state.episodes.pending(experimentId, batch * lanes);
  for (const episode of waiting.filter((id) => laneOf(Number(id.split(".").at(-1)), lanes) === lane)) {
    const work = async () => void (await applyEvent(deps, episode, { kind: "no-model", reason: message }));
    await isolated(deps, "ending an episode", work, { episode });
  }
}

async function announce(
  { bus, now }: Pick<SchedulerDeps, "bus" | "now">,
  { experimentId, lane }: PausedModel,
  { model, reason, since, checks, checkAt }: ModelPause,
  outageSeconds: number,
): Promise<void> {
  const seconds = Math.max(0, Math.round((checkAt - now()) / 1000));
  const left = Math.max(0, Math.round((since + outageSeconds * 1000 - now()) / 60_000));
  const event: RangeEvent = {
    type: "experiment-waits",
    experimentId,
    at: now(),
    reason:
      `model ${model} is paused, because its provider fails: ${reason}. It is asked again in ${seconds} s and goes on when it answers; in ${left} minutes its episodes end as harness errors`.slice(
        0,
        4_000,
      ),
  };
  await bus.publish(subjects.event(experimentId, "-", event.type), event, {
    msgId: `${experimentId}/paused/${lane}/${since}/${checks}`,
  });
}

const reasonOf = ({ code, message }: ErrorInfo): string => `${message.slice(0, 2_000)} [${code}]`;
