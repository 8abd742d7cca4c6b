import type { EpisodeRecord, StageTiming } from "@microremed/contracts";
import type { EpisodeEvent, EpisodePlan } from "@microremed/episode";

/** A transition of an episode: reported once, by the scheduler that won it. */
export interface ObservedStep {
  readonly before: EpisodeRecord;
  readonly after: EpisodeRecord;
  readonly event: EpisodeEvent;
  readonly plan: EpisodePlan;
  /** Wall clock, ms: when this scheduler began with the event, and when the transition was stored. */
  readonly startedAt: number;
  readonly endedAt: number;
}

export interface EndedStage extends StageTiming {
  readonly endedAt: number;
  /** Why it failed, if it did. */
  readonly errorCode: string | undefined;
}

/** The stage that ended with this step, if one did. */
export function endedStage({ before, after, event }: ObservedStep): EndedStage | undefined {
  const timing = after.timings[before.timings.length - 1];
  if (before.timings.at(-1)?.endedAt !== null || timing?.endedAt == null) return undefined;
  return { ...timing, endedAt: timing.endedAt, errorCode: errorCodeOf(event) };
}

function errorCodeOf(event: EpisodeEvent): string | undefined {
  switch (event.kind) {
    case "result": {
      const { body } = event.result;
      return body.status === "failed" ? body.error.code : undefined;
    }
    case "dead-letter":
      return event.error.code;
    case "overdue":
      return "deadline-exceeded";
    case "cluster-removed":
      return "cluster-unreachable";
    case "leased":
    case "cancel":
    case "unserved":
    case "no-arena":
    case "no-model":
    case "no-entry":
      return undefined;
    default:
      return event satisfies never;
  }
}
