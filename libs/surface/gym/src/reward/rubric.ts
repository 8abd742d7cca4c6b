import {
  type ChatMessage,
  cleanOf,
  type EpisodeRecord,
  type Grade,
  gradeOfStep,
  isScored,
  lastVerdictOf,
  turnSteps,
} from "@microremed/contracts";
import type { TaskRules } from "@microremed/episode";

/** What a reward is made of, each measured by itself. Null: it says nothing of this episode. */
export interface RewardParts {
  /** The strict verdict: 1, the system recovered and stayed so. A control recovers by being left alone. */
  readonly recovered: 0 | 1 | null;
  /** 1: recovered, and nothing is left worse than before. */
  readonly clean: 0 | 1 | null;
  /** Share of the users' requests, from the first action to the verdict, that failed or were slow, 0 to 1. */
  readonly disruption: number | null;
  /** Share of the answers that the task allows which were used, 0 to 1. */
  readonly steps: number;
  /** Share of the answers that were a call which could be read, 0 to 1. */
  readonly parseable: number;
  /** 1: a playbook or a command was refused by the policy. */
  readonly refused: 0 | 1;
  /** Score of the answer by the task's grader, 0 to 1, of a cycle the mean of its tasks. */
  readonly graded: number | null;
}

/** How much each part counts. The costs are subtracted; together they are less than what a clean repair or a right answer earns. */
export interface RewardWeights {
  readonly recovered: number;
  readonly clean: number;
  readonly graded: number;
  readonly disruption: number;
  readonly steps: number;
  readonly unparseable: number;
  readonly refused: number;
}

/**
 * A recovery that left something worse earns nothing, so that no shortcut does that only the strict verdict lets pass. Another
 * rubric is another set of weights.
 */
export const usualWeights: RewardWeights = {
  recovered: 0,
  clean: 1,
  graded: 1,
  disruption: 0.2,
  steps: 0.05,
  unparseable: 0.2,
  refused: 0.2,
};

/** An episode's reward with its parts. Null: the harness failed, it says nothing of the agent. */
export interface Reward {
  readonly total: number;
  readonly parts: RewardParts;
}

/** What a reward is read from. */
export interface Rewarded {
  readonly record: EpisodeRecord;
  readonly task: TaskRules;
  readonly conversation: readonly ChatMessage[];
  readonly steps: number;
  /** Answers that the task allows. */
  readonly mostSteps: number;
}

/** The reward of an episode that is over; undefined: there is none, leave the episode out. */
export function rewardOf(episode: Rewarded, weights: RewardWeights = usualWeights): Reward | undefined {
  if (!isScored(episode.record.outcome)) return undefined;
  const parts = partsOf(episode);
  const earned =
    weights.recovered * (parts.recovered ?? 0) +
    weights.clean * (parts.clean ?? 0) +
    weights.graded * (parts.graded ?? 0);
  const cost =
    weights.disruption * (parts.disruption ?? 0) +
    weights.steps * parts.steps +
    weights.unparseable * (1 - parts.parseable) +
    weights.refused * parts.refused;
  return { total: earned - cost, parts };
}

function partsOf({ record, task, conversation, steps, mostSteps }: Rewarded): RewardParts {
  const isAnswered = task.answered || task.parts !== undefined;
  const verdict = isAnswered ? null : lastVerdictOf(record);
  return {
    recovered: isAnswered ? null : verdict?.recovered ? 1 : 0,
    clean: isAnswered ? null : cleanOf(record) === true ? 1 : 0,
    disruption: verdict && disruptionOf(verdict.disruption.remedy),
    steps: Math.min(1, steps / Math.max(1, mostSteps)),
    parseable: parseableOf(conversation),
    refused: record.steps.some((step) => step.kind === "act" && step.result?.status === "rejected") ? 1 : 0,
    graded: isAnswered ? gradedOf(record, task) : null,
  };
}

type Phase = NonNullable<ReturnType<typeof lastVerdictOf>>["disruption"]["remedy"];

function disruptionOf(phase: Phase): number | null {
  if (phase?.requests == null || phase.requests === 0) return null;
  return Math.min(1, ((phase.failed ?? 0) + (phase.slow ?? 0)) / phase.requests);
}

/** Where several tasks are asked, each counts the same; one that was never graded counts 0. */
function gradedOf(record: EpisodeRecord, { parts, watch }: TaskRules): number {
  const grades = turnSteps(record.steps).flatMap((step): { task: string | undefined; grade: Grade }[] => {
    const grade = gradeOfStep(step);
    return grade ? [{ task: step.task, grade }] : [];
  });
  const mean = (scores: readonly number[]): number =>
    scores.length === 0 ? 0 : scores.reduce((sum, one) => sum + one, 0) / scores.length;
  if (watch) return mean(grades.map(({ grade }) => grade.score));
  if (!parts) return grades.at(-1)?.grade.score ?? 0;
  return mean(
    parts.map(({ name, answered, mayAct }) => {
      const score = grades.findLast(({ task }) => task === name)?.grade.score ?? 0;
      // What counts of a repair is that nothing is left worse.
      return mayAct && !answered && cleanOf(record) !== true ? 0 : score;
    }),
  );
}

/** An answer without a call, and a call that names no tool or has wrong arguments, could not be read. */
function parseableOf(conversation: readonly ChatMessage[]): number {
  let answers = 0;
  let unread = 0;
  for (const [i, message] of conversation.entries()) {
    if (message.role !== "assistant") continue;
    answers++;
    const ids = new Set(message.toolCalls.map(({ id }) => id));
    const isUnread = conversation
      .slice(i + 1)
      .some(
        (one) =>
          one.role === "tool" &&
          ids.has(one.toolCallId) &&
          one.milliseconds === undefined &&
          one.content.startsWith("Error: "),
      );
    if (message.toolCalls.length === 0 || isUnread) unread++;
  }
  return answers === 0 ? 1 : 1 - unread / answers;
}
