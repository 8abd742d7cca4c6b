import {
  addUsage,
  type EpisodeRecord,
  endSteps,
  type Grade,
  gradeOfStep,
  isInjected,
  isScored,
  noFailure,
  noUsage,
  submitTool,
  type ThinkTime,
  taskOf,
} from "@microremed/contracts";
import type { JudgedAnswer } from "./agreement.ts";
import { type ClockTime, secondsBefore, type TurnTime, turnTimes } from "./episode-clock.ts";

/** How one task of an episode went. An episode has one, a cycle several. */
export interface TaskRow {
  readonly task: string;
  /** Whether something was injected; in a watch, was to be. */
  readonly incident: boolean;
  /** Of a watch: it ended, with an alarm or without, before the fault that was to come. */
  readonly early: boolean;
  /** Whether an answer was handed in, or something done. */
  readonly answered: boolean;
  /** Whether the answer says that something is wrong; null: it says neither. */
  readonly alarm: boolean | null;
  readonly passed: boolean;
  readonly score: number;
  readonly parts: Readonly<Record<string, number>>;
  /**
   * Seconds on the cluster's clock from the injection to the answer, or until the system had recovered; null: not passed,
   * nothing was injected, or a part of it was not measured.
   */
  readonly seconds: number | null;
  /** What the time up to the end of the task, since that of the task before, was used for. */
  readonly time: ClockTime;
  readonly steps: number;
  readonly toolCalls: number;
  readonly tokens: number;
  /** US dollars; null: a model has no prices. */
  readonly cost: number | null;
  /** Of a watch: seconds of its windows in which an alarm would have been a false one, without what agents waited; null: it is none. */
  readonly healthySeconds: number | null;
  /** What the judging model said of the free text, with its own cost; null: it was not asked. */
  readonly judged: JudgedAnswer | null;
}

type Asked = Pick<EpisodeRecord, "injection" | "steps" | "task" | "failure" | "outcome" | "watched">;

/** The tasks of an episode that says something of its agent, in the order in which they were asked. */
export function taskRows(record: Asked, thinkTime: ThinkTime): TaskRow[] {
  if (!isScored(record.outcome)) return [];
  const turns = Map.groupBy(turnTimes(record, thinkTime), ({ task }) => task);
  return [...turns].map(([task, own], index) => rowOf(record, task, own, index === 0));
}

function rowOf(record: Asked, task: string, turns: readonly TurnTime[], isFirst: boolean): TaskRow {
  const { watched, injection } = record;
  // What was said in the windows before was no alarm: the last one counts.
  const counted = watched ? turns.slice(-1) : turns;
  const grades = counted.flatMap(({ step }) => gradeOfStep(step) ?? []);
  const grade: Grade | undefined = grades.at(-1);
  const usage = turns.map(({ step }) => step.turn.usage).reduce(addUsage, noUsage);
  const incident = record.failure !== noFailure;
  const passed = grade?.passed ?? false;
  const spent = (part: keyof TurnTime["spent"]): number =>
    counted.reduce((sum, turn) => sum + turn.spent[part], 0);
  return {
    task,
    incident,
    early: incident && watched !== undefined && !isInjected(injection),
    answered: turns.some(({ step }) => step.kind === "act" || step.tool === submitTool),
    alarm: grade?.alarm ?? null,
    passed,
    score: grade?.score ?? 0,
    parts: grade?.parts ?? {},
    seconds: passed && incident ? (turns.at(-1)?.endsAt ?? null) : null,
    time: {
      before: isFirst ? secondsBefore(record) : 0,
      thinking: spent("thinking"),
      tools: spent("tools"),
      acting: spent("acting"),
    },
    steps: record.steps.filter((step) => (step.task ?? taskOf(record)) === task).length,
    toolCalls: turns.reduce((sum, { step }) => sum + step.turn.probes, 0),
    tokens: usage.promptTokens + usage.completionTokens,
    cost: usage.cost,
    healthySeconds: healthySeconds(record),
    judged: judgedOf(grade),
  };
}

/**
 * The windows that ended before the fault, or all of them, and what of the fault's own window was before it. Time that an
 * agent lets pass between two windows is none of them: who waits does not get more of it.
 */
function healthySeconds({ watched, injection, steps }: Asked): number | null {
  if (watched === undefined) return null;
  const { windowSeconds: length } = watched;
  const until = isInjected(injection) && injection ? injection.injectedAt : Number.POSITIVE_INFINITY;
  // Older records do not have the length of a window.
  if (length === undefined) return Math.max(0, Math.min(until, watched.askedAt) - watched.from) / 1000;
  const asked = new Map(
    endSteps(steps).flatMap(({ attempt, clusterTime }) =>
      clusterTime === null ? [] : [[attempt, clusterTime]],
    ),
  );
  return [...asked.values()].reduce((sum, end) => {
    const begin = end - length * 1000;
    return sum + Math.max(0, Math.min(end, until) - begin) / 1000;
  }, 0);
}

function judgedOf(grade: Grade | undefined): JudgedAnswer | null {
  if (!grade?.judgement) return null;
  const { model, correct, usage } = grade.judgement;
  return { model, correct, tokens: usage.promptTokens + usage.completionTokens, cost: usage.cost };
}
