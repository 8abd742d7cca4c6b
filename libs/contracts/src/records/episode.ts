import { z } from "zod";
import { EpisodeId, ExperimentId, TaskName } from "../ids.ts";
import { Arena } from "./arena.ts";
import { Damage } from "./damage.ts";
import { EpisodeState } from "./episode-state.ts";
import { ErrorInfo } from "./error-info.ts";
import { Outcome } from "./outcome.ts";
import { PlannedEpisode } from "./planned-episode.ts";
import { Step } from "./step.ts";
import { upgradeEpisode } from "./upgrade-episode.ts";
import { Baseline, InjectionEvidence, OracleVerdict } from "./verdict.ts";

/** A failed injection after which the case was drawn again: on a fresh arena, then on the next target. */
export const Redraw = z.strictObject({
  trial: z.int().min(1),
  target: z.string().describe("target on which the failure had no effect"),
  arena: Arena.nullable(),
  reason: z.string(),
  verdict: OracleVerdict.nullable().describe("the measurements; null: the failure was not injected"),
});
export type Redraw = z.infer<typeof Redraw>;

/** A trial that came to no outcome although its agent had been given something of the episode. */
export const EarlierTrial = z.strictObject({
  trial: z.int().min(1),
  target: z.string(),
  arena: Arena.nullable(),
  reason: z.string(),
  error: ErrorInfo.nullable().describe("what ended it; null: the failure had no effect"),
  steps: z.array(Step),
});
export type EarlierTrial = z.infer<typeof EarlierTrial>;

/** Wall-clock times of one stage, ms since the epoch. */
export const StageTiming = z.strictObject({
  stage: z.string(),
  trial: z.int().min(1),
  attempt: z.int().min(0),
  startedAt: z.number(),
  waitedUntil: z
    .number()
    .optional()
    .describe("at least until then, no service had taken the command; absent: it never waited long"),
  endedAt: z.number().nullable(),
});
export type StageTiming = z.infer<typeof StageTiming>;

/** Everything known of one episode: the state machine's record in Redis. */
export const EpisodeRecord = z.strictObject({
  recordVersion: z
    .literal(2)
    .describe("version of this schema; records of 0.1.0 have none and are converted"),
  id: EpisodeId,
  experimentId: ExperimentId,
  ...PlannedEpisode.shape,
  version: z.int().min(0).describe("grows by one with every transition"),
  state: EpisodeState,
  trial: z
    .int()
    .min(1)
    .describe(
      "number of the trial: after a harness error or a failed injection another one runs on a fresh arena",
    ),
  attempt: z.int().min(0).describe("round within the trial; 0 before the first"),
  asked: TaskName.optional().describe(
    "of a cycle: the task that is asked now, or was last; absent: the episode's",
  ),
  arena: Arena.nullable(),
  baseline: Baseline.nullable(),
  injection: InjectionEvidence.nullable(),
  historyFrom: z
    .number()
    .optional()
    .describe("cluster time, ms: the agent sees nothing of before; absent: from the baseline on"),
  watched: z
    .strictObject({
      from: z.number().describe("cluster time of its beginning, ms"),
      askedAt: z.number().describe("cluster time of the end of its last window, ms"),
      windowSeconds: z.number().optional().describe("length of a window; absent in older records"),
      paceMs: z
        .number()
        .optional()
        .describe("wall clock that each window takes at least, ms; absent: as little as it can"),
    })
    .optional()
    .describe("of a watch; absent: it has not begun, or the task is no watch"),
  steps: z.array(Step).describe("of the present trial; of more than 2,000 observations the latest"),
  earlier: z
    .array(EarlierTrial)
    .optional()
    .describe("trials before the present one in which the agent had been given something; absent: none"),
  redraws: z.array(Redraw),
  outcome: Outcome.nullable(),
  cancelledBy: z
    .literal("agent")
    .optional()
    .describe("of a cancelled one: its agent left before it was asked; absent: it was ended from outside"),
  reason: z.string().nullable().describe("the reason of the outcome, in words"),
  error: ErrorInfo.nullable(),
  restored: z
    .enum(["reset", "redeployed", "quarantined"])
    .nullable()
    .describe("how the arena was restored to its baseline"),
  damage: Damage.nullable().describe("changes that the remedies left; null: not compared"),
  timings: z.array(StageTiming),
});
export type EpisodeRecord = z.infer<typeof EpisodeRecord>;

/** A stored one, whichever version wrote it. */
export const StoredEpisode = z.preprocess(upgradeEpisode, EpisodeRecord);
