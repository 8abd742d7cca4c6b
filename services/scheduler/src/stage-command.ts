import {
  type ActCommand,
  type AttemptFeedback,
  type Diagnosis,
  type EpisodeRecord,
  type ExperimentRequest,
  type GradeCommand,
  type InjectCommand,
  type PrepareCommand,
  type RestoreCommand,
  type SolveCommand,
  type Stage,
  stageOut,
  subjects,
} from "@microremed/contracts";
import { terminal } from "@microremed/core";
import { isTold } from "./told-verdict.ts";

/** What the machine knows of an episode's experiment. */
export interface EpisodePlan {
  readonly request: ExperimentRequest;
  /** Wall clock, ms. */
  readonly submittedAt: number;
  /** Rounds that the method gets of the requested ones. */
  readonly maxAttempts: number;
}

export interface StageCommand {
  readonly stage: Stage;
  readonly subject: string;
  readonly body: unknown;
}

/** The command that leads out of the record's state; it is a function of the record alone, so it can be sent again. */
export function commandOf(record: EpisodeRecord, plan: EpisodePlan): StageCommand | undefined {
  const stage = stageOut[record.state];
  const { arena } = record;
  if (stage === undefined || arena === null) return undefined;
  const shard = stage === "solve" ? record.model : arena.cluster;
  return { stage, subject: subjects.command(stage, shard), body: bodies[stage](record, plan, arena) };
}

type Held = NonNullable<EpisodeRecord["arena"]>;
type Body = (record: EpisodeRecord, plan: EpisodePlan, arena: Held) => unknown;

const key = ({ experimentId, id, trial, attempt }: EpisodeRecord, arena: Held) => ({
  experimentId,
  episodeId: id,
  trial,
  attempt,
  arena,
});

const subject = ({ failure, target }: EpisodeRecord, { request }: EpisodePlan) => ({
  environment: request.environment,
  failure,
  target,
  concealment: request.concealment,
});

const bodies: Readonly<Record<Stage, Body>> = {
  prepare: (record, plan, arena): PrepareCommand => ({
    ...key(record, arena),
    ...subject(record, plan),
    redeploy: plan.request.strictRestart || record.trial > 1,
    timeoutSeconds: plan.request.timeouts.prepareSeconds,
  }),
  inject: (record, plan, arena): InjectCommand => ({
    ...key(record, arena),
    ...subject(record, plan),
    seed: seedOf(record),
    timeoutSeconds: plan.request.timeouts.injectionSeconds,
  }),
  solve: (record, plan, arena): SolveCommand => ({
    ...key(record, arena),
    ...subject(record, plan),
    method: record.method,
    model: record.model,
    maxAttempts: plan.maxAttempts,
    maxProbes: plan.request.maxProbes,
    probeSeconds: plan.request.timeouts.probeSeconds,
    modelSeconds: plan.request.timeouts.modelSeconds,
    budgets: plan.request.budgets,
    playbook: plan.request.playbook ?? null,
    seed: `${seedOf(record)}/${record.attempt}`,
    diagnosis: diagnosisOf(record, plan),
    told: plan.request.feedback,
    feedback: feedbackOf(record, plan),
  }),
  act: (record, plan, arena): ActCommand => ({
    ...key(record, arena),
    concealment: plan.request.concealment,
    playbook: needed(record.attempts.at(-1)?.playbook, record, "playbook"),
    policy: plan.request.policy,
    timeoutSeconds: plan.request.timeouts.playbookSeconds,
  }),
  grade: (record, plan, arena): GradeCommand => ({
    ...key(record, arena),
    ...subject(record, plan),
    baseline: needed(record.baseline, record, "baseline"),
    injection: needed(record.injection, record, "proof of injection"),
    persistence: plan.request.persistence,
    remedyAt: record.attempts.find(({ execution }) => execution?.startedAt)?.execution?.startedAt ?? null,
    timeoutSeconds: plan.request.timeouts.recoverySeconds,
  }),
  restore: (record, plan, arena): RestoreCommand => ({
    ...key(record, arena),
    ...subject(record, plan),
    ...(record.baseline && { baseline: record.baseline }),
    timeoutSeconds: plan.request.timeouts.prepareSeconds,
  }),
};

/** Draws are the same for every model and method that is tried on a case. */
function seedOf({ caseId, repeat }: EpisodeRecord): string {
  return `${caseId}/${repeat}`;
}

function diagnosisOf({ injection }: EpisodeRecord, { request }: EpisodePlan): Diagnosis {
  if (request.report !== "symptoms") return { kind: request.report };
  return { kind: "symptoms", measurements: injection?.verdict.measurements ?? [] };
}

function feedbackOf({ attempts }: EpisodeRecord, { request }: EpisodePlan): AttemptFeedback | null {
  const last = attempts.at(-1);
  if (!last) return null;
  const { verdict } = last;
  return {
    execution: last.execution?.output ?? last.noPlaybookReason ?? "",
    ...(request.feedback === "oracle" && { recovered: isTold(verdict, request) }),
    ...(request.feedback === "observation" && verdict && { observation: verdict.observation }),
  };
}

function needed<T>(value: T | null | undefined, { id, state }: EpisodeRecord, what: string): T {
  if (value !== null && value !== undefined) return value;
  throw terminal("internal", `episode ${id} is ${state} without a ${what}`);
}
