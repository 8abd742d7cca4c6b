import { decimal, percent, percentInterval, type Table } from "./format.ts";
import { type Group, modelLabel } from "./group.ts";
import type { TaskSummary } from "./task-summary.ts";

type Row = readonly [Group, TaskSummary];

const names = ["model", "method", "task"];
const namesOf = ([group, { task }]: Row): string[] => [
  modelLabel(group.model),
  group.method,
  // The same task may also be asked by itself.
  task === group.task ? task : `${group.task}: ${task}`,
];

const rowsOf = (groups: readonly Group[]): Row[] =>
  groups.flatMap((group) => group.summary.tasks.map((task) => [group, task] as const));

const tableOf = (
  rows: readonly Row[],
  heading: readonly string[],
  cells: (task: TaskSummary) => string[],
): Table =>
  rows.length === 0
    ? []
    : [[...names, ...heading], ...rows.map((row) => [...namesOf(row), ...cells(row[1])])];

/** How each task went, and what it took. With repeats also whether all, or any, of them passed. */
export function tasksTable(groups: readonly Group[]): Table {
  const most = Math.max(0, ...rowsOf(groups).map(([, { passHat }]) => passHat.length));
  const ofMost = most > 1 ? [`pass^${most}`, `pass@${most}`] : [];
  const shareOf = (all: TaskSummary["passHat"]): string => percent(all[most - 1]?.value ?? null);
  const hasErrors = rowsOf(groups).some(
    ([, { errorsAsFailures, of, passed }]) => errorsAsFailures.of !== of || errorsAsFailures.hits !== passed,
  );
  const heading = [
    "episodes",
    "passed",
    "95 % interval",
    ...(hasErrors ? ["with errors as failures"] : []),
    ...ofMost,
    "score",
    "time to it, s",
    "steps",
    "tool calls",
    "tokens",
    "US$",
  ];
  return tableOf(rowsOf(groups), heading, (task) => [
    String(task.of),
    percent(task.rate),
    percentInterval(task.interval),
    ...(hasErrors
      ? [`${percent(task.errorsAsFailures.rate)} ${percentInterval(task.errorsAsFailures.interval)}`]
      : []),
    ...(most > 1 ? [shareOf(task.passHat), shareOf(task.passAt)] : []),
    decimal(task.score, 2),
    decimal(task.seconds),
    decimal(task.steps),
    decimal(task.toolCalls),
    decimal(task.tokens, 0),
    task.cost ? task.cost.toPrecision(3) : "-",
  ]);
}

/** What the score of each task is made of. */
export function partsTable(groups: readonly Group[]): Table {
  const rows = rowsOf(groups).flatMap((row) =>
    Object.entries(row[1].parts).map(([part, value]) => [...namesOf(row), part, decimal(value, 2)]),
  );
  return rows.length === 0 ? [] : [[...names, "part", "mean"], ...rows];
}

/** What was the case by what was said, for the tasks in which something is said of it. */
export function detectionTable(groups: readonly Group[]): Table {
  const rows = rowsOf(groups).flatMap((row) => {
    const { confusion } = row[1];
    if (confusion === null) return [];
    const { hits, misses, silentInIncident, falseAlarms, correctRejections, silentInCalm } = confusion;
    const cases: readonly (readonly [string, ...number[]])[] = [
      ["an incident", hits, misses, silentInIncident],
      ["none", falseAlarms, correctRejections, silentInCalm],
    ];
    return cases
      .filter(([, ...counts]) => counts.some((count) => count > 0))
      .map((cells) => [...namesOf(row), ...cells.map(String)]);
  });
  const heading = [...names, "there was", "said: wrong", "said: nothing wrong", "no answer"];
  return rows.length === 0 ? [] : [heading, ...rows];
}

/** What the alarms are worth; how often one is false is known of watches alone. */
export function alarmsTable(groups: readonly Group[]): Table {
  const heading = ["hit rate", "precision", "s to the alarm", "healthy hours", "false alarms an hour"];
  const rows = rowsOf(groups).filter(([, task]) => task.alarms !== null);
  return tableOf(rows, heading, ({ alarms, seconds }) => [
    percent(alarms?.hitRate ?? null),
    percent(alarms?.precision ?? null),
    decimal(seconds),
    decimal(alarms?.healthyHours ?? null, 2),
    decimal(alarms?.falseAlarmsPerHour ?? null, 2),
  ]);
}

/** How often a judging model agrees with the grade on free text; its cost is in no other table. */
export function judgeTable(groups: readonly Group[]): Table {
  const rows = rowsOf(groups).flatMap((row) => {
    const { judge } = row[1];
    if (judge === null) return [];
    const { bothPassed, onlyGrade, onlyJudge, bothFailed } = judge;
    return [
      [
        ...namesOf(row),
        judge.model,
        ...[judge.of, judge.failed].map(String),
        percent(judge.agreement),
        decimal(judge.kappa, 2),
        ...[bothPassed, onlyGrade, onlyJudge, bothFailed, judge.tokens].map(String),
        judge.cost ? judge.cost.toPrecision(3) : "-",
      ],
    ];
  });
  const heading = ["judge", "n", "no judgement", "agreement", "kappa", "both passed", "only grade"];
  const rest = ["only judge", "both failed", "tokens of judge", "US$ of judge"];
  return rows.length === 0 ? [] : [[...names, ...heading, ...rest], ...rows];
}

/** What the time to each task is called in papers. */
const timeNames: Readonly<Record<string, string>> = {
  detection: "TTD",
  monitoring: "TTD",
  localization: "TTL",
  analysis: "TTA",
  mitigation: "TTM",
};

/**
 * Where the time of the agents went, mean seconds on the cluster's clock: the time to each task, of the episodes that
 * passed, and what all of them used their time for.
 */
export function timeTable(groups: readonly Group[]): Table {
  const heading = ["time to it", "s", "before asked", "thinking", "tools and waits", "acting until judged"];
  return tableOf(rowsOf(groups), heading, ({ task, seconds, time }) => [
    timeNames[task] ?? "-",
    ...[seconds, time.before, time.thinking, time.tools, time.acting].map((value) => decimal(value)),
  ]);
}
