import { type EpisodeRecord, StageResult, stageOut } from "@microremed/contracts";
import { advance } from "../advance.ts";
import type { EpisodeEvent } from "../episode-event.ts";
import type { EpisodePlan } from "../plan.ts";
import type { Transition } from "../transitions.ts";
import { anArena, anEpisode, aPlan, aResult } from "./builders.ts";

/** An episode that goes from stage to stage, with what came of each step. */
export interface Walk {
  record: EpisodeRecord;
  readonly states: string[];
  readonly effects: (string | undefined)[];
  /** Takes the next answer of the stage that is out, or another event. */
  next(body: unknown): Transition | undefined;
  happen(event: EpisodeEvent, at?: number): Transition | undefined;
}

/** An episode that has just been leased, and how it goes on. */
export function leased(plan: EpisodePlan = aPlan(), change: Partial<EpisodeRecord> = {}): Walk {
  let now = 0;
  const walk: Walk = {
    record: anEpisode(change),
    states: [],
    effects: [],
    next: (body) => {
      const stage = stageOut[walk.record.state];
      if (stage === undefined) throw new Error(`no stage is out in ${walk.record.state}`);
      return walk.happen({ kind: "result", result: StageResult.parse(aResult(walk.record, stage, body)) });
    },
    happen: (event, at = now + 1000) => {
      now = at;
      const step = advance(walk.record, plan, event, now);
      if (!step) return undefined;
      walk.record = { ...step.record, version: walk.record.version + 1 };
      walk.states.push(step.record.state);
      walk.effects.push(step.effect?.kind);
      return step;
    },
  };
  walk.happen({ kind: "leased", arena: anArena });
  return walk;
}
