import { z } from "zod";
import { EpisodeId, ExperimentId } from "../ids.ts";
import { Arena } from "./arena.ts";
import { EpisodeState } from "./episode-state.ts";
import { ErrorInfo } from "./error-info.ts";
import { Execution } from "./execution.ts";
import { ModelSettings } from "./model-settings.ts";
import { PlannedEpisode } from "./planned-episode.ts";
import { addUsage, noUsage, Usage } from "./usage.ts";
import { Baseline, Damage, InjectionEvidence, OracleVerdict, Verdict } from "./verdict.ts";

/** Told apart and never mixed in a score. Success rate = remediated / (remediated + not-remediated). */
export const Outcome = z.enum([
  "remediated",
  "not-remediated",
  "injection-failed",
  "harness-error",
  "cancelled",
]);
export type Outcome = z.infer<typeof Outcome>;

/** One round of generate, execute, verify. */
export const Attempt = z.strictObject({
  number: z.int().min(1),
  playbook: z.string().nullable().describe("null: the model gave none"),
  noPlaybookReason: z.string().nullable(),
  probes: z.int().min(0).describe("probe commands run"),
  usage: Usage,
  settings: ModelSettings.optional().describe("absent: no model was asked"),
  execution: Execution.nullable(),
  verdict: Verdict.nullable(),
});
export type Attempt = z.infer<typeof Attempt>;

/** A failed injection after which the case was drawn again: on a fresh arena, then on the next target. */
export const Redraw = z.strictObject({
  trial: z.int().min(1),
  target: z.string().describe("where the failure did not show"),
  arena: Arena.nullable(),
  reason: z.string(),
  verdict: OracleVerdict.nullable().describe("what was measured; null: it was not even injected"),
});
export type Redraw = z.infer<typeof Redraw>;

/** Wall-clock times of one stage, ms since the epoch. */
export const StageTiming = z.strictObject({
  stage: z.string(),
  trial: z.int().min(1),
  attempt: z.int().min(0),
  startedAt: z.number(),
  waitedUntil: z
    .number()
    .optional()
    .describe("until then at least, no service had taken the command; absent: it never waited for long"),
  endedAt: z.number().nullable(),
});
export type StageTiming = z.infer<typeof StageTiming>;

/** Everything known of one episode: the state machine's record in Redis. */
export const EpisodeRecord = z.strictObject({
  id: EpisodeId,
  experimentId: ExperimentId,
  ...PlannedEpisode.shape,
  version: z.int().min(0).describe("grows by one with every transition"),
  state: EpisodeState,
  trial: z
    .int()
    .min(1)
    .describe(
      "which try of the harness: after a harness error or a failed injection there is another one on a fresh arena",
    ),
  attempt: z.int().min(0).describe("round within the trial; 0 before the first"),
  arena: Arena.nullable(),
  baseline: Baseline.nullable(),
  injection: InjectionEvidence.nullable(),
  attempts: z.array(Attempt),
  redraws: z.array(Redraw),
  outcome: Outcome.nullable(),
  reason: z.string().nullable().describe("why this outcome, in words"),
  error: ErrorInfo.nullable(),
  restored: z
    .enum(["reset", "redeployed", "quarantined"])
    .nullable()
    .describe("how the arena got back to its baseline"),
  damage: Damage.nullable().describe("what the remedies left changed; null: it was not compared"),
  timings: z.array(StageTiming),
});
export type EpisodeRecord = z.infer<typeof EpisodeRecord>;

/** What all attempts cost. */
export function usageOf({ attempts }: Pick<EpisodeRecord, "attempts">): Usage {
  return attempts.map(({ usage }) => usage).reduce(addUsage, noUsage);
}

/** On the last attempt that was judged; null: none was. */
export function lastVerdictOf({ attempts }: Pick<EpisodeRecord, "attempts">): Verdict | null {
  return attempts.findLast(({ verdict }) => verdict !== null)?.verdict ?? null;
}
