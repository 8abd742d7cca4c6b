import { type EpisodeRecord, type Stage, stageOut } from "@microremed/contracts";
import type { EpisodePlan } from "./stage-command.ts";

/** A stage may be delivered, retried and queued: it counts as lost after so many times its own deadline... */
const margin = 3;
/** ... and so much for its way through the queues, seconds. */
const queueSeconds = 300;
/** The baseline is measured before the injection. */
const baselineSeconds = 300;
/** A stage that is out for so long is looked after (see `lookAfter`), and again each time this time has doubled, ms. */
const firstLookMs = 60_000;

/** Wall clock, ms: from when on the stage that is out counts as lost. `undefined`: none is out. */
export function deadlineOf(record: EpisodeRecord, plan: EpisodePlan): number | undefined {
  const stage = stageOut[record.state];
  const startedAt = countedFrom(record);
  if (stage === undefined || startedAt === undefined) return undefined;
  return startedAt + (secondsOf(stage, plan) * margin + queueSeconds) * 1000;
}

/** How often a stage that has been out for so long, ms, has been due for a look. */
export function looksAfter(outMs: number): number {
  return outMs < firstLookMs ? 0 : Math.floor(Math.log2(outMs / firstLookMs)) + 1;
}

/** Wall clock, ms: when the stage that is out is looked after next. `undefined`: none is out. */
export function nextLook(record: EpisodeRecord, plan: EpisodePlan, now: number): number | undefined {
  const deadline = deadlineOf(record, plan);
  const startedAt = countedFrom(record);
  if (deadline === undefined || startedAt === undefined) return undefined;
  return Math.min(deadline, startedAt + firstLookMs * 2 ** looksAfter(now - startedAt));
}

/** Wall clock, ms: from when on the stage that is out could be worked on. */
function countedFrom({ timings }: EpisodeRecord): number | undefined {
  const timing = timings.at(-1);
  return timing?.waitedUntil ?? timing?.startedAt;
}

function secondsOf(stage: Stage, { request: { timeouts, budgets } }: EpisodePlan): number {
  switch (stage) {
    case "prepare":
    case "restore":
      return timeouts.prepareSeconds;
    case "inject":
      return timeouts.injectionSeconds + baselineSeconds;
    case "solve":
      // The budget is looked at between model calls, so the last one may go beyond it.
      return budgets.seconds + timeouts.modelSeconds;
    case "act":
      return timeouts.playbookSeconds;
    case "grade":
      return timeouts.recoverySeconds;
    default:
      return stage satisfies never;
  }
}
