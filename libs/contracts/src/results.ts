import { z } from "zod";
import { BudgetName } from "./budgets.ts";
import { Execution } from "./episode.ts";
import { ErrorInfo } from "./error-info.ts";
import { EpisodeId, ExperimentId } from "./ids.ts";
import { ModelSettings } from "./model-settings.ts";
import { Usage } from "./usage.ts";
import { Baseline, Damage, InjectionEvidence, OracleVerdict, Verdict } from "./verdict.ts";

/** Every result names the command it answers; the scheduler ignores one that the episode no longer waits for. */
const resultKey = {
  experimentId: ExperimentId,
  episodeId: EpisodeId,
  trial: z.int().min(1),
  attempt: z.int().min(0),
};

/** A stage that could not be done for a reason that is not the model's. */
const failed = z.strictObject({ status: z.literal("failed"), error: ErrorInfo });

export const PreparedResult = z.strictObject({
  ...resultKey,
  stage: z.literal("prepare"),
  body: z.discriminatedUnion("status", [
    z.strictObject({
      status: z.literal("ok"),
      deployed: z.boolean().describe("false: the arena was in order"),
    }),
    failed,
  ]),
});

export const InjectedResult = z.strictObject({
  ...resultKey,
  stage: z.literal("inject"),
  body: z.discriminatedUnion("status", [
    z.strictObject({ status: z.literal("ok"), baseline: Baseline, injection: InjectionEvidence }),
    z.strictObject({
      status: z.literal("no-effect"),
      reason: z.string(),
      baseline: Baseline.nullable(),
      verdict: OracleVerdict.nullable(),
    }),
    failed,
  ]),
});

const turnCost = {
  usage: Usage,
  probes: z.int().min(0),
  settings: ModelSettings.optional(),
};

export const RemediatedResult = z.strictObject({
  ...resultKey,
  stage: z.literal("remediate"),
  body: z.discriminatedUnion("status", [
    z.strictObject({
      status: z.literal("playbook"),
      playbook: z.string(),
      source: z
        .enum(["tool-call", "text"])
        .optional()
        .describe("text: the model called no tool, the playbook was read from a YAML block of its answer"),
      ...turnCost,
    }),
    z.strictObject({
      status: z.literal("done"),
      reason: z.string().describe("the method is content; possible only where it is not told the verdict"),
      ...turnCost,
    }),
    z.strictObject({
      status: z.literal("no-playbook"),
      reason: z.string(),
      exhausted: BudgetName.optional().describe("the budget that ran out, after which no attempt can follow"),
      ...turnCost,
    }),
    failed,
  ]),
});

export const ExecutedResult = z.strictObject({
  ...resultKey,
  stage: z.literal("execute"),
  body: z.discriminatedUnion("status", [
    z.strictObject({ status: z.literal("ok"), execution: Execution }),
    failed,
  ]),
});

export const VerifiedResult = z.strictObject({
  ...resultKey,
  stage: z.literal("verify"),
  body: z.discriminatedUnion("status", [
    z.strictObject({ status: z.literal("ok"), verdict: Verdict }),
    failed,
  ]),
});

export const RestoredResult = z.strictObject({
  ...resultKey,
  stage: z.literal("restore"),
  body: z.discriminatedUnion("status", [
    z.strictObject({
      status: z.literal("ok"),
      how: z.enum(["reset", "redeployed"]),
      damage: Damage.nullable().describe("what was found changed before the restore"),
    }),
    failed,
  ]),
});

export const StageResult = z.discriminatedUnion("stage", [
  PreparedResult,
  InjectedResult,
  RemediatedResult,
  ExecutedResult,
  VerifiedResult,
  RestoredResult,
]);
export type StageResult = z.infer<typeof StageResult>;
export type Stage = StageResult["stage"];
export type ResultOf<S extends Stage> = Extract<StageResult, { stage: S }>;
