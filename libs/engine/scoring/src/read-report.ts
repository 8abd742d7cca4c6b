import { defaultTask, ExperimentRequest, ModelSettings, Outcome, RangeKind } from "@microremed/contracts";
import { z } from "zod";
import type { ComparedReport } from "./compare.ts";

const count = z.number().min(0);

const TaskRow = z.object({
  task: z.string(),
  incident: z.boolean(),
  early: z.boolean().default(false),
  answered: z.boolean(),
  alarm: z.boolean().nullable(),
  passed: z.boolean(),
  score: z.number(),
  parts: z.record(z.string(), z.number()),
  seconds: count.nullable(),
  time: z.object({ before: count, thinking: count, tools: count, acting: count }),
  steps: count,
  toolCalls: count,
  tokens: count,
  cost: count.nullable(),
  healthySeconds: count.nullable().default(null),
  judged: z
    .object({
      model: z.string(),
      correct: z.boolean().nullable(),
      tokens: count,
      cost: count.nullable(),
    })
    .nullable()
    .default(null),
});

/** The part of an episode's row that a comparison needs, as `--output json` has written it. */
const Row = z.object({
  id: z.string(),
  index: z.int(),
  model: z.string(),
  method: z.string(),
  task: z.string().default(defaultTask),
  caseId: z.string(),
  repeat: z.int(),
  failure: z.string(),
  problem: z.string().nullable().default(null),
  target: z.string(),
  incident: z.array(z.object({ failure: z.string(), target: z.string() })).default([]),
  outcome: Outcome.nullable(),
  reason: z.string().nullable(),
  score: z.number().nullable().default(null),
  attempts: count,
  modelSeconds: count.nullable().default(null),
  clusterSeconds: count.nullable().default(null),
  machinerySeconds: count.nullable().default(null),
  seconds: count,
  remediationSeconds: count,
  microremed: z.boolean().nullable(),
  clean: z.boolean().nullable().default(null),
  damage: count.nullable(),
  collateral: count.nullable().default(null),
  recoverySeconds: z.number().nullable(),
  tokens: count,
  cost: count.nullable(),
  estimatedTokens: count,
  probes: count,
  trials: count,
  redraws: count,
  cluster: z.string().nullable(),
  errorCode: z.string().nullable(),
  given: z.boolean().default(false),
  earlierTrials: count.default(0),
  agentLeft: z.literal(true).optional(),
  settings: ModelSettings.nullable().default(null),
  tasks: z.array(TaskRow).default([]),
});

const ReportFile = z.object({
  experimentId: z.string(),
  harnessVersion: z.string().default("unknown"),
  range: RangeKind.default("processes"),
  planned: count.nullable().optional(),
  unfounded: z.array(z.object({ id: z.string(), problems: z.array(z.string()) })).optional(),
  request: ExperimentRequest,
  episodes: z.array(Row),
});

/** Reads a report that was written with `--output json`. Throws a ZodError for anything else. */
export function readReport(value: unknown): ComparedReport {
  return ReportFile.parse(value);
}
