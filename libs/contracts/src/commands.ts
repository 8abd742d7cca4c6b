import { z } from "zod";
import { Budgets } from "./budgets.ts";
import { Arena } from "./episode.ts";
import { EpisodeId, ExperimentId, FailureName, ModelName, PolicyName } from "./ids.ts";
import { Concealment, Feedback, Persistence } from "./request.ts";
import { Baseline, InjectionEvidence, Measurement } from "./verdict.ts";

/** The key under which a command is idempotent, and what every command and result carries. */
const stageKey = {
  experimentId: ExperimentId,
  episodeId: EpisodeId,
  trial: z.int().min(1),
  attempt: z.int().min(0),
  arena: Arena,
};

const subject = {
  environment: z.string(),
  failure: FailureName,
  target: z.string(),
  concealment: Concealment.optional().describe("absent: none"),
};

/** Injector: deploy the environment into the arena if needed, and see it healthy. */
export const PrepareCommand = z.strictObject({
  ...stageKey,
  ...subject,
  redeploy: z.boolean().describe("start from nothing even if the arena is in order"),
  timeoutSeconds: z.int(),
});
export type PrepareCommand = z.infer<typeof PrepareCommand>;

/** Injector: measure the baseline, inject, and prove that the failure is there. */
export const InjectCommand = z.strictObject({
  ...stageKey,
  ...subject,
  seed: z.string().describe("seed of this episode's random choices"),
  timeoutSeconds: z.int(),
});
export type InjectCommand = z.infer<typeof InjectCommand>;

/** What the diagnosis report is made of. */
export const Diagnosis = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("oracle").describe("the failed service and the failure category") }),
  z.strictObject({
    kind: z.literal("symptoms"),
    measurements: z.array(Measurement).describe("as the failure was proven"),
  }),
  z.strictObject({ kind: z.literal("none") }),
]);
export type Diagnosis = z.infer<typeof Diagnosis>;

/** What came of the attempt before. */
export const AttemptFeedback = z.strictObject({
  execution: z.string().describe("what the last playbook printed, or why none was run"),
  recovered: z.boolean().optional().describe("the verdict that the request chose; absent: it is not told"),
  observation: z.string().optional().describe("what was measured, in words; absent: it is not told"),
});
export type AttemptFeedback = z.infer<typeof AttemptFeedback>;

/** Remediator: run one turn of the method, ending in a playbook or in none. */
export const RemediateCommand = z.strictObject({
  ...stageKey,
  ...subject,
  method: z.string(),
  model: ModelName,
  maxAttempts: z.int().min(1),
  maxProbes: z.int().min(0),
  probeSeconds: z.int().min(1),
  modelSeconds: z.int().min(1),
  budgets: Budgets.prefault({}),
  playbook: z.string().nullable().default(null).describe("of the request, for the method Human"),
  seed: z.string(),
  diagnosis: Diagnosis.optional().describe("absent: oracle"),
  told: Feedback.optional().describe("what the method is told after an attempt; absent: oracle"),
  feedback: AttemptFeedback.nullable().describe("null on the first attempt"),
});
export type RemediateCommand = z.infer<typeof RemediateCommand>;

/** Executor: run one playbook against the arena. */
export const ExecuteCommand = z.strictObject({
  ...stageKey,
  concealment: subject.concealment,
  playbook: z.string().max(262_144),
  policy: PolicyName,
  timeoutSeconds: z.int().min(1),
});
export type ExecuteCommand = z.infer<typeof ExecuteCommand>;

/** Verifier: run the fault's oracles until they hold or the deadline passes. */
export const VerifyCommand = z.strictObject({
  ...stageKey,
  ...subject,
  baseline: Baseline,
  injection: InjectionEvidence,
  persistence: Persistence.optional().describe("absent: once"),
  remedyAt: z
    .number()
    .nullable()
    .describe("cluster time, ms, at which the first playbook was started; null: unknown"),
  timeoutSeconds: z.int(),
});
export type VerifyCommand = z.infer<typeof VerifyCommand>;

/** Injector: remove the failure and bring the arena back to its baseline, or redeploy it. */
export const RestoreCommand = z.strictObject({
  ...stageKey,
  ...subject,
  baseline: Baseline.optional().describe("what must be measured again afterwards; absent: none was taken"),
  timeoutSeconds: z.int(),
});
export type RestoreCommand = z.infer<typeof RestoreCommand>;
