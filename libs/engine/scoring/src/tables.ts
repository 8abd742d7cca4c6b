import { defaultTask, tasksOf } from "@microremed/contracts";
import type { EpisodeRow } from "./episode-row.ts";
import { decimal, percent, percentInterval, type Table } from "./format.ts";
import { type Bound, type Group, methodLabel, modelLabel } from "./group.ts";
import { outcomeText } from "./outcome-text.ts";
import type { Report } from "./report.ts";
import type { Share } from "./share.ts";
import { subjectOf } from "./subject-of.ts";
import type { Summary } from "./summary.ts";

/** What the experiment was, as name and value; settings that are as usual are left out. */
export function headingTable(report: Report): Table {
  const { request } = report;
  const settings: [string, string, string][] = [
    ["repeats", String(request.repeats), "1"],
    ["report", request.report, "oracle"],
    ["feedback", request.feedback, "oracle"],
    ["feedback verdict", request.verdict, "strict"],
    ["concealment", concealmentIn(report), "none"],
    ["persistence", request.persistence, "once"],
    ["think time", thinkTimeText(request), "counted"],
    ["judge", request.judge ?? "none", "none"],
    ["history", `${request.historySeconds} s`, "180 s"],
  ];
  const asked = tasksAsked(report);
  return [
    ["experiment", report.experimentId],
    ["environment", subjectOf(request)],
    ["method", request.method.join(", ")],
    ...(asked.length === 0 ? [] : [["task", asked.join(", ")]]),
    ["model", request.model.map(modelLabel).join(", ")],
    request.problems === undefined
      ? ["failures", nameOf(request.failures)]
      : ["problems", nameOf(request.problems)],
    ...(request.parameters ? [["parameters", JSON.stringify(request.parameters)]] : []),
    ["seed", String(request.seed)],
    ...settings.filter(([, value, usual]) => value !== usual).map(([name, value]) => [name, value]),
    ["status", report.status],
    ...notWhole(report).map((sentence) => ["warning", sentence]),
    ["MicroRemed", report.harnessVersion],
    ...(report.range === "processes" ? [] : [["range", "in one process, playbooks interpreted"]]),
  ];
}

/** Most episodes that are named one by one. */
const mostNamed = 10;

/**
 * Why a run is not to be taken as it is, a sentence each: episodes are missing, its agent left some, or they do not bear out what they
 * say.
 */
export function notWhole({
  planned,
  unfounded = [],
  episodes,
}: Pick<Report, "planned" | "unfounded"> & {
  readonly episodes: readonly Pick<EpisodeRow, "agentLeft">[];
}): string[] {
  const left = episodes.filter(({ agentLeft }) => agentLeft).length;
  const count =
    planned === null
      ? [`${episodes.length} episodes; how many its request plans is not known here`]
      : planned === undefined || planned === episodes.length
        ? []
        : [`${episodes.length} of ${planned} planned episodes`];
  if (left > 0) count.push(`the agent left before ${left} of ${planned ?? episodes.length} planned episodes`);
  if (unfounded.length === 0) return count;
  const named = unfounded.slice(0, mostNamed).map(({ id, problems }) => `${id}: ${problems.join("; ")}`);
  const more = unfounded.length > mostNamed ? `, and ${unfounded.length - mostNamed} more` : "";
  const what = `${unfounded.length} of ${episodes.length} episodes do not follow from what is saved`;
  return [...count, `${what}: ${named.join(", ")}${more}`];
}

const nameOf = (named: unknown): string => (typeof named === "string" ? named : JSON.stringify(named));

/** The tasks, unless all is as usual. */
function tasksAsked({ request, episodes }: Report): readonly string[] {
  const asked =
    request.problems === undefined ? tasksOf(request) : [...new Set(episodes.map(({ task }) => task))].sort();
  return asked.every((task) => task === defaultTask) ? [] : asked;
}

function thinkTimeText({ thinkTime }: Report["request"]): string {
  return typeof thinkTime === "number" ? `${thinkTime} s for 1,000 tokens` : thinkTime;
}

/** What was in effect: tasks in which nothing may be changed conceal the cause whatever the request says. */
function concealmentIn({ request, episodes }: Report): string {
  const found = new Set(episodes.map(({ concealment }) => concealment ?? request.concealment));
  return found.size === 0 ? request.concealment : [...found].sort().join(", ");
}

const names = ["model", "method"];
const namesOf = (group: Group): string[] => [modelLabel(group.model), methodLabel(group)];

/** What those that passed are called. */
const passedIn = (groups: readonly Group[]): string =>
  groups.every(({ task }) => task === defaultTask) ? "remediated" : "passed";

/** Recovered with nothing left worse than before, in front of every other rate; nothing where it was not asked. */
const cleanHead = (groups: readonly Group[]): string[] =>
  isCleanAsked(groups) ? ["clean", "95 % interval", ...errorsHead(groups)] : [];
const cleanCells = (groups: readonly Group[], { summary }: Group): string[] => {
  if (!isCleanAsked(groups)) return [];
  const { clean, cleanErrorsAsFailures } = summary;
  return [
    percent(clean.rate),
    percentInterval(clean.interval),
    ...errorsCells(groups, cleanErrorsAsFailures),
  ];
};

/** A rate that an agent could raise by errors does not stand alone. */
const errorsHead = (groups: readonly Group[]): string[] =>
  hasErrors(groups) ? ["with errors as failures"] : [];
const errorsCells = (groups: readonly Group[], { rate, interval }: Share): string[] =>
  hasErrors(groups) ? [rate === null ? "-" : `${percent(rate)} ${percentInterval(interval)}`] : [];
const hasErrors = (groups: readonly Group[]): boolean =>
  groups.some(
    ({ summary: { errorsAsFailures, injected, remediated } }) =>
      errorsAsFailures.of !== injected || errorsAsFailures.hits !== remediated,
  );
const isCleanAsked = (groups: readonly Group[]): boolean =>
  groups.some(({ summary }) => summary.clean.of > 0);

export function totalsTable(groups: readonly Group[]): Table {
  return [
    [
      ...names,
      "episodes",
      "injected",
      ...cleanHead(groups),
      passedIn(groups),
      "success",
      "95 % interval",
      ...errorsHead(groups),
      "floor to ceiling",
      "injection failed",
      "redraws",
      "harness errors",
      "cancelled",
    ],
    ...groups.map((group) => [
      ...namesOf(group),
      String(group.summary.total),
      String(group.summary.injected),
      ...cleanCells(groups, group),
      String(group.summary.remediated),
      percent(group.summary.successRate),
      percentInterval(group.summary.successInterval),
      ...errorsCells(groups, group.summary.errorsAsFailures),
      rangeBeside(group, groups),
      String(group.summary.injectionFailed),
      String(group.summary.redraws),
      String(group.summary.harnessErrors),
      String(group.summary.cancelled),
    ]),
  ];
}

/** What rules reach on the same cases with the same method: a success rate says little outside of that. */
function rangeBeside(group: Group, groups: readonly Group[]): string {
  if (group.bound !== null) return group.bound;
  const rates = (bound: Bound): number[] =>
    groups.flatMap((one) =>
      one.bound === bound && one.method === group.method && one.task === group.task
        ? (one.summary.successRate ?? [])
        : [],
    );
  const [floor, ceiling] = [rates("floor"), rates("ceiling")];
  if (floor.length === 0 && ceiling.length === 0) return "not run";
  const highest = (values: readonly number[]) => percent(values.length === 0 ? null : Math.max(...values));
  return `${highest(floor)} to ${highest(ceiling)}`;
}

/** What a success rate does not show: the published rules' verdict, damage, controls and consistency. */
export function qualityTable(groups: readonly Group[]): Table {
  const most = Math.max(0, ...groups.map(({ summary }) => summary.passHat.length));
  const ks = most > 1 ? Array.from({ length: most }, (_, i) => i + 1) : [];
  return [
    [
      ...names,
      "published rules",
      "95 % interval",
      "left damage",
      "collateral",
      "controls intact",
      ...ks.map((k) => `pass^${k}`),
      ...ks.slice(1).map((k) => `pass@${k}`),
      "bound",
    ],
    ...groups.map((group) => [
      ...namesOf(group),
      percent(group.summary.microremed.rate),
      percentInterval(group.summary.microremed.interval),
      counts(group.summary.damaged),
      decimal(group.summary.collateral),
      controlsOf(group.summary),
      ...ks.map((k) => percent(group.summary.passHat[k - 1]?.value ?? null)),
      ...ks.slice(1).map((k) => percent(group.summary.passAt[k - 1]?.value ?? null)),
      group.bound ?? "",
    ]),
  ];
}

function controlsOf({ controls, controlErrors }: Summary): string {
  return controlErrors === 0 ? counts(controls) : `${counts(controls)}, errors in ${controlErrors}`;
}

function counts({ hits, of }: Summary["controls"]): string {
  return of === 0 ? "-" : `${hits}/${of}`;
}

/** How each model was asked, and what in that is not as for all others. Empty when there are only rules. */
export function settingsTable(groups: readonly Group[]): Table {
  const rows = new Map(
    groups.flatMap(({ model, ruleBased, settings }) =>
      ruleBased || settings === null
        ? []
        : [[model, [model, settings.stated, settings.deviations.join(", ") || "nothing"]] as const],
    ),
  );
  return rows.size === 0 ? [] : [["model", "asked with", "deviates in"], ...rows.values()];
}

export function averagesTable(groups: readonly Group[]): Table {
  const row = (group: Group, name: string, averages: Summary["overall"]): string[] => [
    ...namesOf(group),
    name,
    decimal(averages.attempts, 2),
    decimal(averages.modelSeconds),
    decimal(averages.clusterSeconds),
    decimal(averages.machinerySeconds),
    decimal(averages.tokens, 0),
    money(averages.cost),
    decimal(averages.estimatedTokens, 0),
  ];
  return [
    [
      ...names,
      "average",
      "attempts",
      "model s",
      "cluster s",
      "machinery s",
      "tokens",
      "US$",
      "tokens (chars/4)",
    ],
    ...groups.flatMap((group) => [
      row(group, "per episode", group.summary.overall),
      row(group, "per success", group.summary.perSuccess),
    ]),
  ];
}

function money(value: number | null): string {
  return value === null || value === 0 ? "-" : value.toPrecision(3);
}

export function failuresTable(groups: readonly Group[]): Table {
  return [
    [...names, "failure", "injected", passedIn(groups), "rate", "95 % interval"],
    ...groups.flatMap((group) =>
      Object.entries(group.summary.byFailure).map(([failure, part]) => [
        ...namesOf(group),
        failure,
        String(part.injected),
        String(part.remediated),
        percent(part.rate),
        percentInterval(part.interval),
      ]),
    ),
  ];
}

export function episodesTable({ episodes }: Report): Table {
  const ofProblems = episodes.some(({ problem }) => problem !== null);
  const table = [
    [
      "#",
      ...names,
      ...(ofProblems ? ["problem", "task"] : ["failure", "target"]),
      "run",
      "outcome",
      "attempts",
      "model s",
      "cluster s",
      "tokens",
      "reason",
    ],
    ...episodes.map((row) => [
      String(row.index),
      row.model,
      methodLabel(row),
      ...(ofProblems ? [row.problem ?? "", row.task] : [row.failure, row.target]),
      String(row.repeat),
      outcomeText(row),
      String(row.attempts),
      decimal(row.modelSeconds),
      decimal(row.clusterSeconds),
      String(row.tokens),
      [firstLine(row.reason ?? ""), ...brokenOff(row)].join("; "),
    ]),
  ];
  return episodes.length < 2 ? table : withoutSame(table, [...names, "task", "run"]);
}

/** Without those of the named columns in which every row says the same, as the other tables say once. */
function withoutSame([heading = [], ...rows]: Table, named: readonly string[]): Table {
  const isSame = (column: number): boolean => new Set(rows.map((row) => row[column])).size === 1;
  const left = heading.map((name, column) => !named.includes(name) || !isSame(column));
  return [heading, ...rows].map((row) => row.filter((_, column) => left[column]));
}

/** Longest reason in a table, characters; the record and the JSON have it whole. */
const longestReason = 200;

/** What was expected, such as the schema of an answer, follows below it. */
export function firstLine(reason: string): string {
  const [line = "", ...more] = reason.trim().split("\n");
  if (line.length > longestReason) return `${line.slice(0, longestReason - 4)} ...`;
  return more.length > 0 ? `${line} ...` : line;
}

const brokenOff = ({ earlierTrials }: EpisodeRow): string[] => {
  if (earlierTrials === 0) return [];
  return [`${earlierTrials} ${earlierTrials === 1 ? "try" : "tries"} before it had broken off`];
};

/** Every model with every method of several experiments side by side, best first. */
export function leaderboardTable(reports: readonly Report[]): Table {
  const groups = ranked(reports.flatMap((report) => report.groups));
  const failures = [...new Set(groups.flatMap(({ summary }) => Object.keys(summary.byFailure)))].sort();
  return [
    [
      ...names,
      ...cleanHead(groups),
      "success",
      "95 % interval",
      ...errorsHead(groups),
      "floor to ceiling",
      passedIn(groups),
      "attempts",
      "model s",
      "cluster s",
      "tokens",
      ...failures,
      "bound",
    ],
    ...groups.map((group) => [
      ...namesOf(group),
      ...cleanCells(groups, group),
      percent(group.summary.successRate),
      percentInterval(group.summary.successInterval),
      ...errorsCells(groups, group.summary.errorsAsFailures),
      rangeBeside(group, groups),
      `${group.summary.remediated}/${group.summary.injected}`,
      decimal(group.summary.overall.attempts, 2),
      decimal(group.summary.overall.modelSeconds),
      decimal(group.summary.overall.clusterSeconds),
      decimal(group.summary.overall.tokens, 0),
      ...failures.map((failure) => {
        const part = group.summary.byFailure[failure];
        return part ? `${part.remediated}/${part.injected}` : "-";
      }),
      group.bound ?? "",
    ]),
  ];
}

/**
 * Most clean first where that was asked of all, else, and among equals, the best success rate; both with errors as failures: an
 * order that an agent could change by errors would be none.
 */
export function ranked(groups: readonly Group[]): Group[] {
  const isAsked = groups.every(({ summary }) => summary.clean.of > 0);
  const cleanRate = ({ summary }: Group): number =>
    isAsked ? (summary.cleanErrorsAsFailures.rate ?? -1) : 0;
  const success = ({ summary }: Group): number => summary.errorsAsFailures.rate ?? -1;
  return [...groups].sort((a, b) => cleanRate(b) - cleanRate(a) || success(b) - success(a));
}
