import { createHmac } from "node:crypto";
import {
  type AttemptFeedback,
  actionsWithin,
  attemptsOf,
  type CommandOf,
  type Diagnosis,
  type EpisodeRecord,
  environmentOf,
  firstParameters,
  queueOfModel,
  type Stage,
  stageOut,
  stages,
  subjects,
  taskOf,
  undoTool,
} from "@microremed/contracts";
import { terminal } from "@microremed/core";
import { budgetsFor } from "@microremed/llm/policy-needs";
import { caseSeed } from "./case-seed.ts";
import { concealmentOf } from "./concealment-of.ts";
import { firstAttempt, inTask, planNow } from "./cycle.ts";
import { probesOf, timeoutsOf } from "./limits-of.ts";
import type { EpisodePlan } from "./plan.ts";
import { isReportedPassed } from "./reported-grade.ts";
import { attemptNumber, lastEnd, lastUndoable } from "./steps.ts";
import { watchBudgets, watchOf, windowCommand, windowNumber } from "./watch.ts";

export interface StageCommand {
  readonly stage: Stage;
  readonly subject: string;
  readonly body: unknown;
}

/** The command that leads out of the record's state; it is a function of the record alone, so it can be sent again. */
export function commandOf(record: EpisodeRecord, whole: EpisodePlan): StageCommand | undefined {
  const plan = planNow(record, whole);
  const stage = stageOut[record.state];
  const { arena } = record;
  if (stage === undefined || arena === null) return undefined;
  const shard = stages[stage].shard === "model" ? queueOfModel(record.model) : arena.cluster;
  return { stage, subject: subjects.command(stage, shard), body: bodies[stage](record, plan, arena) };
}

type Held = NonNullable<EpisodeRecord["arena"]>;
type Body<S extends Stage> = (record: EpisodeRecord, plan: EpisodePlan, arena: Held) => CommandOf<S>;

const key = ({ experimentId, id, trial, attempt }: EpisodeRecord, arena: Held) => ({
  experimentId,
  episodeId: id,
  trial,
  attempt,
  arena,
});

const subject = (record: EpisodeRecord, plan: EpisodePlan) => ({
  environment: environmentOf(record, plan.request),
  failure: record.failure,
  target: record.target,
  concealment: concealmentOf(record, plan),
  ...parametersOf(record, plan),
  ...(record.problem?.flap && { flap: record.problem.flap }),
  ...(record.problem?.further && { further: record.problem.further }),
});

/** Who only repairs compares with nothing. */
function historyOf({ request, task }: EpisodePlan): Pick<CommandOf<"inject">, "historySeconds"> {
  const isAsked = task.answered || task.parts !== undefined;
  return isAsked && request.historySeconds > 0 ? { historySeconds: request.historySeconds } : {};
}

const noiseOf = ({ problem }: EpisodeRecord) => problem?.noise && { noise: problem.noise };

function parametersOf(record: EpisodeRecord, { request }: EpisodePlan) {
  const parameters = firstParameters(record, request);
  return parameters && { parameters };
}

const bodies: { readonly [S in Stage]: Body<S> } = {
  prepare: (record, plan, arena) => ({
    ...key(record, arena),
    ...subject(record, plan),
    redeploy: plan.request.strictRestart || record.trial > 1,
    seed: caseSeed(record),
    timeoutSeconds: plan.request.timeouts.prepareSeconds,
  }),
  inject: (record, plan, arena) => ({
    ...key(record, arena),
    ...subject(record, plan),
    ...historyOf(plan),
    ...noiseOf(record),
    ...(record.problem?.askedAfter !== undefined && { askedAfter: record.problem.askedAfter }),
    ...(record.problem?.workload && { workload: record.problem.workload }),
    seed: caseSeed(record),
    timeoutSeconds: timeoutsOf(record, plan.request).injectionSeconds,
    ...(plan.task.watch && windowCommand(record, plan)),
  }),
  solve: (record, plan, arena) => ({
    ...key(record, arena),
    ...subject(record, plan),
    task: plan.task.name ?? taskOf(record),
    ...turnOf(record),
    method: record.method,
    model: record.model,
    ...(plan.task.watch && {
      window: { number: windowNumber(record), seconds: watchOf(record, plan).windowSeconds },
    }),
    ...continuedFrom(record, plan),
    maxAttempts: plan.maxAttempts,
    maxProbes: probesOf(record, plan.request),
    probeSeconds: plan.request.timeouts.probeSeconds,
    actSeconds: plan.request.timeouts.playbookSeconds,
    modelSeconds: plan.request.timeouts.modelSeconds,
    budgets: plan.task.watch ? watchBudgets(record, plan) : budgetsFor(record.model, plan.request),
    playbook: plan.request.playbook ?? null,
    seed: `${caseSeed(record)}/${attemptNumber(record)}`,
    draws: createHmac("sha256", plan.drawsKey)
      .update(`${caseSeed(record)}/${attemptNumber(record)}`)
      .digest("hex"),
    ...(record.baseline && { historyFrom: record.historyFrom ?? record.baseline.takenAt }),
    diagnosis: diagnosisOf(record, plan),
    feedbackKind: plan.request.feedback,
    feedback: feedbackOf(record, plan),
  }),
  act: (record, plan, arena) => ({
    ...key(record, arena),
    concealment: concealmentOf(record, plan),
    ...toolCall(record),
    policy: plan.request.policy,
    timeoutSeconds: actSecondsOf(record, plan),
  }),
  grade: (record, plan, arena) => ({
    ...key(record, arena),
    ...subject(record, plan),
    task: plan.task.name ?? taskOf(record),
    answer: answerOf(record),
    baseline: needed(record.baseline, record, "baseline"),
    injection: needed(record.injection, record, "proof of injection"),
    persistence: plan.request.persistence,
    soakSeconds: plan.request.soakSeconds,
    remedyAt: remedyAt(record),
    ...(plan.request.judge !== undefined && {
      judge: { model: plan.request.judge, timeoutSeconds: plan.request.timeouts.modelSeconds },
    }),
    timeoutSeconds: timeoutsOf(record, plan.request).recoverySeconds,
  }),
  restore: (record, plan, arena) => ({
    ...key(record, arena),
    ...subject(record, plan),
    ...noiseOf(record),
    ...(record.baseline && { baseline: record.baseline }),
    ...(record.injection?.further && {
      furtherBaselines: record.injection.further.map(({ baseline }) => baseline),
    }),
    timeoutSeconds: plan.request.timeouts.prepareSeconds,
  }),
};

/** The attempt in which what is asked now was asked first; a watch asks again in every window. */
function continuedFrom(
  record: EpisodeRecord,
  { task }: EpisodePlan,
): Pick<CommandOf<"solve">, "firstAttempt"> {
  const first = task.watch ? windowNumber(record) : firstAttempt(record);
  return first > 1 ? { firstAttempt: first } : {};
}

/** Who is to answer a question about the incident gets to know nothing of it: that would be a part of the answer. */
function diagnosisOf({ injection, problem }: EpisodeRecord, { request, task }: EpisodePlan): Diagnosis {
  if (task.answered || task.parts !== undefined) return { kind: "none" };
  const report = problem?.report ?? request.report;
  if (report !== "symptoms") return { kind: report };
  const verdicts = [injection, ...(injection?.further ?? [])].map((one) => one?.verdict);
  return { kind: "symptoms", measurements: verdicts.flatMap((one) => one?.measurements ?? []) };
}

function feedbackOf(record: EpisodeRecord, plan: EpisodePlan): AttemptFeedback | null {
  const last = attemptsOf(inTask(record)).at(-1);
  if (!last || plan.task.watch) return null;
  const { request, task } = plan;
  const { verdict } = last;
  const execution = last.execution?.output ?? last.noPlaybookReason ?? "";
  // An answer is final: there is a next attempt only where none was handed in, and no verdict on a system.
  if (task.answered) return { execution, unanswered: true };
  return {
    execution,
    ...(request.feedback === "oracle" && { recovered: isReportedPassed(last.step, plan) }),
    ...(request.feedback === "observation" && verdict && { observation: verdict.observation }),
  };
}

/** Which attempt it is, and what the action came to after which its turn goes on. */
function turnOf(record: EpisodeRecord): Pick<CommandOf<"solve">, "attemptNumber" | "acted"> {
  const number = attemptNumber(record);
  const step = lastEnd(record);
  if (step?.kind !== "act" || !step.goesOn || step.result === null)
    return number === record.attempt ? {} : { attemptNumber: number };
  const before = actionsWithin(record.steps).filter(({ attempt }) => attempt === step.attempt);
  return { attemptNumber: number, acted: { number: before.length, execution: step.result } };
}

/** Cluster time at which the agent first changed anything; null: it did not. */
function remedyAt({ steps }: EpisodeRecord): number | null {
  for (const step of steps)
    if (step.kind === "act" && step.result?.startedAt !== undefined) return step.result.startedAt;
  return null;
}

function toolCall(record: EpisodeRecord): Pick<CommandOf<"act">, "tool" | "arguments" | "undo"> {
  const step = lastEnd(record);
  if (step?.kind !== "act")
    throw terminal("internal", `episode ${record.id} is ${record.state} without an action`);
  const undo = step.tool === undoTool ? lastUndoable(record)?.changed : undefined;
  return { tool: step.tool, arguments: step.arguments, ...(undo && { undo }) };
}

/** A command ends at the latest when the episode's budget does. */
function actSecondsOf(record: EpisodeRecord, { request: { timeouts } }: EpisodePlan): number {
  const step = lastEnd(record);
  return step?.kind === "act" && step.atMostSeconds !== undefined
    ? Math.min(timeouts.playbookSeconds, step.atMostSeconds)
    : timeouts.playbookSeconds;
}

function answerOf(record: EpisodeRecord): unknown {
  const step = lastEnd(record);
  return step?.kind === "submit" ? step.arguments : null;
}

function needed<T>(value: T | null | undefined, { id, state }: EpisodeRecord, what: string): T {
  if (value !== null && value !== undefined) return value;
  throw terminal("internal", `episode ${id} is ${state} without a ${what}`);
}
