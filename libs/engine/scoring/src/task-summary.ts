import { type Agreement, agreementOf } from "./agreement.ts";
import type { ClockTime } from "./episode-clock.ts";
import type { EpisodeRow } from "./episode-row.ts";
import { type PassOfK, passAtK, passHatK, type Run } from "./pass-hat-k.ts";
import { type Share, share } from "./share.ts";
import type { TaskRow } from "./task-row.ts";
import { type Interval, wilsonInterval } from "./wilson.ts";

/** What was the case by what was said. */
export interface Confusion {
  readonly hits: number;
  /** Incidents without an alarm, and watches whose alarm came before their fault. */
  readonly misses: number;
  /** Alarms without an incident, and those before the fault of a watch: such a watch counts at both. */
  readonly falseAlarms: number;
  readonly correctRejections: number;
  /** Nothing was said: with an incident, and without one. */
  readonly silentInIncident: number;
  readonly silentInCalm: number;
}

/** What alarms are worth. */
export interface Alarms {
  /** Share of the incidents in which the alarm was raised; null: there was none. */
  readonly hitRate: number | null;
  /** Share of the alarms that were raised in an incident; null: there was none. */
  readonly precision: number | null;
  /** Of watches: hours on the cluster's clock without a fault, and false alarms in one; null: no watch, or no time. */
  readonly healthyHours: number | null;
  readonly falseAlarmsPerHour: number | null;
}

/** How a set of episodes did at one task. Means are of all rows, those of times of the rows in which they are known. */
export interface TaskSummary {
  readonly task: string;
  readonly of: number;
  readonly passed: number;
  readonly rate: number | null;
  readonly interval: Interval | null;
  /** The rate if harness errors after the agent had been given something were failures: see Summary. */
  readonly errorsAsFailures: Share;
  readonly score: number | null;
  /** Mean of each part of the grade, over the rows that have it. */
  readonly parts: Readonly<Record<string, number>>;
  /** Of those that passed: mean seconds on the cluster's clock from the injection. */
  readonly seconds: number | null;
  readonly time: ClockTime;
  readonly steps: number | null;
  readonly toolCalls: number | null;
  readonly tokens: number | null;
  readonly cost: number | null;
  /** pass^k and pass@k of the task by itself, as in the summary of all. */
  readonly passHat: readonly PassOfK[];
  readonly passAt: readonly PassOfK[];
  /** Null: no answer to the task says whether anything is wrong. */
  readonly confusion: Confusion | null;
  /** The same as shares, and per hour; null as before. */
  readonly alarms: Alarms | null;
  /** Null: no free text was judged. */
  readonly judge: Agreement | null;
}

type TaskRun = TaskRow & Run & Pick<EpisodeRow, "earlierTrials">;

/**
 * One for each task, in the order in which they first appear. `errors`: episodes without rows, which a harness error ended
 * after their agents had been given something; of a cycle they count at each of its tasks.
 */
export function taskSummaries(rows: readonly TaskRun[], errors: number): TaskSummary[] {
  return [...Map.groupBy(rows, ({ task }) => task)].map(([task, own]) => summaryOf(task, own, errors));
}

function summaryOf(task: string, rows: readonly TaskRun[], errors: number): TaskSummary {
  const passed = rows.filter((row) => row.passed).length;
  const mean = (pick: (row: TaskRow) => number | null | undefined): number | null => {
    const known = rows.map(pick).filter((value) => typeof value === "number");
    return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
  };
  const confusion = rows.some(({ alarm }) => alarm !== null) ? confusionOf(rows) : null;
  const names = [...new Set(rows.flatMap(({ parts }) => Object.keys(parts)))];
  const spent = (part: keyof ClockTime): number => mean(({ time }) => time[part]) ?? 0;
  return {
    task,
    of: rows.length,
    passed,
    rate: rows.length === 0 ? null : passed / rows.length,
    interval: wilsonInterval(passed, rows.length) ?? null,
    errorsAsFailures: share(
      [...rows.map((row) => row.passed && row.earlierTrials === 0), ...Array(errors).fill(false)],
      (hit) => hit,
    ),
    score: mean(({ score }) => score),
    parts: Object.fromEntries(names.map((name) => [name, mean(({ parts }) => parts[name]) ?? 0])),
    seconds: mean(({ seconds }) => seconds),
    time: {
      before: spent("before"),
      thinking: spent("thinking"),
      tools: spent("tools"),
      acting: spent("acting"),
    },
    steps: mean(({ steps }) => steps),
    toolCalls: mean(({ toolCalls }) => toolCalls),
    tokens: mean(({ tokens }) => tokens),
    cost: rows.some(({ cost }) => cost === null) ? null : mean(({ cost }) => cost),
    passHat: passHatK(rows),
    judge: agreementOf(rows),
    passAt: passAtK(rows),
    confusion,
    alarms: confusion && alarmsOf(confusion, rows),
  };
}

function confusionOf(rows: readonly TaskRow[]): Confusion {
  const count = (incident: boolean, alarm: boolean | null): number =>
    rows.filter((row) => !isTooEarly(row) && row.incident === incident && row.alarm === alarm).length;
  const tooEarly = rows.filter(isTooEarly).length;
  return {
    hits: count(true, true),
    misses: count(true, false) + tooEarly,
    falseAlarms: count(false, true) + tooEarly,
    correctRejections: count(false, false),
    silentInIncident: count(true, null),
    silentInCalm: count(false, null),
  };
}

/** An alarm before the fault of a watch. Its fault was missed, else who always raises an alarm at once would miss none. */
const isTooEarly = ({ early, alarm }: TaskRow): boolean => early && alarm === true;

function alarmsOf(confusion: Confusion, rows: readonly TaskRow[]): Alarms {
  const { hits, misses, silentInIncident, falseAlarms } = confusion;
  const seconds = rows.flatMap(({ healthySeconds }) => healthySeconds ?? []);
  const hours = seconds.length === 0 ? null : seconds.reduce((sum, one) => sum + one, 0) / 3600;
  return {
    hitRate: shareOf(hits, hits + misses + silentInIncident),
    precision: shareOf(hits, hits + falseAlarms),
    healthyHours: hours,
    falseAlarmsPerHour: hours === null ? null : shareOf(falseAlarms, hours),
  };
}

const shareOf = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole);
