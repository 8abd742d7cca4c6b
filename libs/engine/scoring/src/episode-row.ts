import {
  attemptsOf,
  type Concealment,
  cleanOf,
  type EarlierTrial,
  type EpisodeRecord,
  type ErrorCode,
  isCollateral,
  isDamage,
  lastGradeOf,
  lastVerdictOf,
  type ModelSettings,
  type Outcome,
  type Step,
  type ThinkTime,
  taskOf,
  usageOf,
} from "@microremed/contracts";
import { failureLabel, type IncidentPart, incidentOf } from "./incident.ts";
import { type TaskRow, taskRows } from "./task-row.ts";

/** One episode as a report shows it. */
export interface EpisodeRow {
  readonly id: string;
  readonly index: number;
  readonly model: string;
  readonly method: string;
  /** What the agent was asked. */
  readonly task: string;
  /** The same for every model, method and repeat. */
  readonly caseId: string;
  readonly repeat: number;
  /** Of several faults together: their names, joined by ` + `. */
  readonly failure: string;
  /** The problem that it is of; `null`: the request named failures. */
  readonly problem: string | null;
  readonly target: string;
  /** Its faults with their targets, the one of `target` first; none: nothing was wrong. */
  readonly incident: readonly IncidentPart[];
  /** `null`: still running. */
  readonly outcome: Outcome | null;
  readonly reason: string | null;
  /** Of the last answer, or of the system as it was left, from 0 to 1; of a cycle the mean of its tasks; `null`: not graded. */
  readonly score: number | null;
  readonly attempts: number;
  /** Wall clock of the model's calls, without waits and failed tries; `null`: not measured. */
  readonly modelSeconds: number | null;
  /** Cluster time from the injection to the last measurement of the verdict; `null`: there was none. */
  readonly clusterSeconds: number | null;
  /** Wall clock of everything but the model's calls, which the machine's load decides; `null`: not known. */
  readonly machinerySeconds: number | null;
  /** Wall clock from the arena's lease to the verdict: model and machinery together. */
  readonly seconds: number;
  /** Wall clock of solving, acting and grading, which contains the machine's load: for the published benchmark's column. */
  readonly remediationSeconds: number;
  /** The published rules' verdict on the final system; `null`: not computed. */
  readonly microremed: boolean | null;
  /** Recovered, and nothing left worse than before; `null`: not asked, as in records of before. */
  readonly clean: boolean | null;
  /** Changes for the worse that the remedies left in the arena and outside of it; `null`: not compared. */
  readonly damage: number | null;
  /** Healthy objects that the incident had not hit and the agent wrote or restarted; `null`: not compared. */
  readonly collateral: number | null;
  /** Cluster time from the injection until all was in order and stayed so; `null`: it did not, or was not measured. */
  readonly recoverySeconds: number | null;
  /** Prompt and completion tokens as the provider counted them. */
  readonly tokens: number;
  /** US dollars at the models file's prices; `null`: a model in it has none. */
  readonly cost: number | null;
  /** The published benchmark's estimate, characters / 4. */
  readonly estimatedTokens: number;
  readonly probes: number;
  /** Tries of the harness: more than 1 means that a harness error or a failed injection was tried again. */
  readonly trials: number;
  /** Failed injections after which the case was drawn again. */
  readonly redraws: number;
  readonly cluster: string | null;
  readonly errorCode: string | null;
  /** The agent had been given something of the episode: a turn had begun. */
  readonly given: boolean;
  /**
   * Trials before the one that counts in which it had: it was given another chance, after a harness error or because it had given its
   * arena back to others after work in it.
   */
  readonly earlierTrials: number;
  /** It was cancelled because its agent left, before it was asked. Absent: it was not. */
  readonly agentLeft?: true | undefined;
  /** Of the fault's cause, as it was in effect; absent: as the request says. */
  readonly concealment?: Concealment;
  /** How the model was asked; `null`: it was not. */
  readonly settings: ModelSettings | null;
  /** How each task went, in the order in which they were asked; none of an episode that says nothing of its agent. */
  readonly tasks: readonly TaskRow[];
}

const methodStages: readonly string[] = ["solve", "act", "grade"];

/** The row of one episode, made from its record and what its request counts for thinking. */
export function episodeRow(record: EpisodeRecord, thinkTime: ThinkTime = "counted"): EpisodeRow {
  const usage = usageOf(record);
  const { id, index, model, method, caseId, repeat, target } = record;
  const verdict = lastVerdictOf(record);
  const attempts = attemptsOf(record);
  const tasks = taskRows(record, thinkTime);
  const modelSeconds = usage.modelSeconds ?? (usage.calls === 0 ? 0 : null);
  const wallSeconds = secondsToVerdict(record);
  const earlierTrials = (record.earlier ?? []).filter(isSecondChance).length;
  return {
    id,
    index,
    model,
    method,
    task: taskOf(record),
    caseId,
    repeat,
    failure: failureLabel(record),
    problem: record.problem?.id ?? null,
    target,
    incident: incidentOf(record),
    outcome: record.outcome,
    reason: record.reason,
    score: scoreOf(record, tasks),
    attempts: attempts.length,
    modelSeconds,
    clusterSeconds: clusterSecondsOf(record),
    machinerySeconds: modelSeconds === null ? null : Math.max(0, wallSeconds - modelSeconds),
    seconds: wallSeconds,
    remediationSeconds: record.timings
      .filter((timing) => timing.trial === record.trial && methodStages.includes(timing.stage))
      .reduce((sum, timing) => sum + seconds(timing.startedAt, timing.endedAt), 0),
    microremed: verdict?.microremed?.recovered ?? null,
    clean: cleanOf(record),
    damage: record.damage?.changes.filter(isDamage).length ?? null,
    collateral: record.damage?.changes.filter(isCollateral).length ?? null,
    recoverySeconds: verdict?.disruption.recoveredSeconds ?? null,
    tokens: usage.promptTokens + usage.completionTokens,
    cost: usage.cost,
    estimatedTokens: usage.estimatedTokens,
    probes: attempts.reduce((sum, attempt) => sum + attempt.probes, 0),
    trials: record.trial,
    redraws: record.redraws.length,
    cluster: record.arena?.cluster ?? null,
    errorCode: record.error?.code ?? null,
    given: record.steps.length > 0 || earlierTrials > 0,
    earlierTrials,
    ...(record.outcome === "cancelled" && record.cancelledBy === "agent" && { agentLeft: true as const }),
    ...(record.injection?.concealment && { concealment: record.injection.concealment }),
    settings: attempts.find((attempt) => attempt.settings)?.settings ?? null,
    tasks,
  };
}

const givenBack: ErrorCode = "arena-given-back";

/**
 * Whether the trial after this one is one more chance for the agent. Who gave its arena back before it had seen anything in it starts as
 * at first.
 */
function isSecondChance({ error, steps }: EarlierTrial): boolean {
  return error?.code !== givenBack || steps.some(isWork);
}

const isWork = (step: Step): boolean =>
  step.kind === "act" || (step.kind === "observe" && (step.endedAt !== null || step.startedAt === null));

/** Of several tasks the mean. */
function scoreOf(record: EpisodeRecord, tasks: readonly TaskRow[]): number | null {
  if (tasks.length > 1) return tasks.reduce((sum, { score }) => sum + score, 0) / tasks.length;
  return lastGradeOf(record)?.score ?? null;
}

/** On the cluster's own clock, which neither the machine's load nor a speed of time changes. */
function clusterSecondsOf(record: EpisodeRecord): number | null {
  const verdict = lastVerdictOf(record);
  const measuredAt = (verdict?.oracles ?? []).flatMap(({ measurements }) => measurements.map(({ at }) => at));
  if (record.injection === null || measuredAt.length === 0) return null;
  return Math.max(0, (Math.max(...measuredAt) - record.injection.injectedAt) / 1000);
}

/** From the first stage of the episode to the end of the last one before the restore. */
function secondsToVerdict(record: EpisodeRecord): number {
  const judged = record.timings.filter((timing) => timing.stage !== "restore");
  const first = judged[0];
  const last = judged.at(-1);
  return first && last ? seconds(first.startedAt, last.endedAt) : 0;
}

function seconds(startedAt: number, endedAt: number | null): number {
  return endedAt === null ? 0 : Math.max(0, (endedAt - startedAt) / 1000);
}
