import { z } from "zod";
import { ErrorInfo } from "./error-info.ts";
import { EpisodeId, ExperimentId } from "./ids.ts";
import { ModelSettings } from "./model-settings.ts";
import { PlannedEpisode } from "./request.ts";
import { addUsage, noUsage, Usage } from "./usage.ts";
import { Baseline, Damage, InjectionEvidence, OracleVerdict, Verdict } from "./verdict.ts";

/** Each state is named for what has been reached; which command is out meanwhile: `stageOut`. */
export const EpisodeState = z.enum([
  "planned", // waits for an arena
  "leased",
  "checked",
  "generating", // the failure is injected and proven
  "executing",
  "verifying",
  "judged",
  "done",
]);
export type EpisodeState = z.infer<typeof EpisodeState>;

/** Told apart and never mixed in a score. Success rate = remediated / (remediated + not-remediated). */
export const Outcome = z.enum([
  "remediated",
  "not-remediated",
  "injection-failed",
  "harness-error",
  "cancelled",
]);
export type Outcome = z.infer<typeof Outcome>;

/** Where an episode runs: one namespace of one cluster, held by a lease. */
export const Arena = z.strictObject({
  cluster: z.string(),
  slot: z.int().min(0).describe("number of the arena on its cluster"),
  namespace: z.string(),
  fence: z.int().min(1).describe("fencing token of the lease: grows with every lease of the arena"),
});
export type Arena = z.infer<typeof Arena>;

/** How one playbook run ended. */
export const Execution = z.strictObject({
  status: z
    .enum(["ok", "failed", "timed-out", "rejected"])
    .describe("rejected: no playbook, or one that its policy does not allow; never run"),
  exitCode: z.int().nullable(),
  output: z.string().describe("stdout and stderr of ansible-playbook, clipped in the middle"),
  wallSeconds: z.number(),
  startedAt: z.number().optional().describe("cluster time, ms; absent: it was never run"),
  rule: z
    .string()
    .optional()
    .describe("of a rejected one: the first rule that it breaks; `playbook`: it is not one"),
});
export type Execution = z.infer<typeof Execution>;

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
