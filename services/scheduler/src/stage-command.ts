import {
  type EpisodeRecord,
  type ExecuteCommand,
  type ExperimentRequest,
  type InjectCommand,
  type PrepareCommand,
  type RemediateCommand,
  type RestoreCommand,
  type Stage,
  subjects,
  type VerifyCommand,
} from "@microremed/contracts";
import { terminal } from "@microremed/core";
import { stageOut } from "./episode-event.ts";

/** What the machine knows of an episode's experiment. */
export interface EpisodePlan {
  readonly request: ExperimentRequest;
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
  const shard = stage === "remediate" ? plan.request.model : arena.cluster;
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
    seed: `${plan.request.seed}/${record.index}`,
    timeoutSeconds: plan.request.timeouts.injectionSeconds,
  }),
  remediate: (record, plan, arena): RemediateCommand => ({
    ...key(record, arena),
    ...subject(record, plan),
    method: plan.request.method,
    model: plan.request.model,
    maxAttempts: plan.maxAttempts,
    maxProbes: plan.request.maxProbes,
    probeSeconds: plan.request.timeouts.probeSeconds,
    modelSeconds: plan.request.timeouts.modelSeconds,
    budgets: plan.request.budgets,
    playbook: plan.request.playbook ?? null,
    seed: `${plan.request.seed}/${record.index}/${record.attempt}`,
    feedback: feedbackOf(record),
  }),
  execute: (record, plan, arena): ExecuteCommand => ({
    ...key(record, arena),
    playbook: needed(record.attempts.at(-1)?.playbook, record, "playbook"),
    policy: plan.request.policy,
    timeoutSeconds: plan.request.timeouts.playbookSeconds,
  }),
  verify: (record, plan, arena): VerifyCommand => ({
    ...key(record, arena),
    ...subject(record, plan),
    baseline: needed(record.baseline, record, "baseline"),
    injection: needed(record.injection, record, "proof of injection"),
    remedyAt: record.attempts.find(({ execution }) => execution?.startedAt)?.execution?.startedAt ?? null,
    timeoutSeconds: plan.request.timeouts.recoverySeconds,
  }),
  restore: (record, plan, arena): RestoreCommand => ({
    ...key(record, arena),
    ...subject(record, plan),
    timeoutSeconds: plan.request.timeouts.prepareSeconds,
  }),
};

function feedbackOf({ attempts }: EpisodeRecord): RemediateCommand["feedback"] {
  const last = attempts.at(-1);
  if (!last) return null;
  return { execution: last.execution?.output ?? last.noPlaybookReason ?? "", recovered: false };
}

function needed<T>(value: T | null | undefined, { id, state }: EpisodeRecord, what: string): T {
  if (value !== null && value !== undefined) return value;
  throw terminal("internal", `episode ${id} is ${state} without a ${what}`);
}
