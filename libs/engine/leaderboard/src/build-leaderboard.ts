import { defaultTask, ExperimentRequest, noModel, taskOf } from "@microremed/contracts";
import {
  comparedSettings,
  type EpisodeRow,
  groupsOf,
  type Report,
  type Share,
  subjectOf,
  summarise,
  wilsonInterval,
} from "@microremed/scoring";
import { type Entry, type Leaderboard, leaderboardFormat } from "./leaderboard.ts";
import { digestOf } from "./signature.ts";
import type { Submission } from "./submission.ts";

/** A planned episode that has no result. */
export interface MissingEpisode {
  readonly model: string;
  readonly method: string;
  readonly task?: string | undefined;
}

/** A saved run, read and checked. */
export interface EnteredRun {
  /** Name of its folder. */
  readonly folder: string;
  readonly report: Report;
  /** Null: the request asks for all cases and tasks of what it names; else how many episodes it plans of how many. */
  readonly part: { readonly planned: number; readonly of: number } | null;
  /** Those that the request plans and the run does not have, and those that were cancelled. */
  readonly missing: readonly MissingEpisode[];
  /** SHA-256 of `submission.json`, hex; of a run that is not signed, of the digests of its files. */
  readonly digest: string;
  /** Null: it is not signed. */
  readonly signed: (Pick<Submission, "agent" | "version" | "by" | "url"> & { readonly key: string }) | null;
}

type Unranked = Omit<Entry, "rank">;

/**
 * A board for each set of cases and settings, in the order of their names, parts of something last. A row is an agent in a version with a
 * model, of one submitter: its signed runs on a board count together, whatever their seeds. The order is by clean repairs where every entry was asked to
 * repair, then by passes; both count as `success` of an entry does. A run that is there twice is entered once, also
 * if it was signed twice with one key. The same runs make the same leaderboard, in whatever order.
 * `partsOf`: the tasks that a task asks in turn, itself if it is one.
 */
export function buildLeaderboard(
  runs: readonly EnteredRun[],
  title: string,
  partsOf: (task: string) => readonly string[],
): Leaderboard {
  const boards = Map.groupBy(onceEach(runs), boardOf);
  return {
    format: leaderboardFormat,
    title,
    boards: [...boards]
      .map(([subject, own]) => ({
        subject,
        whole: own.every(({ part }) => part === null),
        entries: rankedEntries(entriesOf(own, partsOf)),
      }))
      .toSorted((a, b) => Number(b.whole) - Number(a.whole) || (a.subject < b.subject ? -1 : 1)),
  };
}

/**
 * Of an experiment one run of each row, that which lacks the fewest episodes, however often it was signed. Of the runs that are not signed
 * each other one.
 */
function onceEach(runs: readonly EnteredRun[]): EnteredRun[] {
  const keyOf = ({ signed, report, digest }: EnteredRun): string =>
    signed ? JSON.stringify([report.experimentId, ...rowOf(signed)]) : digest;
  const lack = (a: EnteredRun, b: EnteredRun): number => a.missing.length - b.missing.length;
  const ordered = runs.toSorted((a, b) => lack(b, a) || (a.digest < b.digest ? 1 : -1));
  return [...new Map(ordered.map((run) => [keyOf(run), run])).values()];
}

/** What makes two signed runs of one model and method one row. */
const rowOf = ({ agent, version, by, url, key }: NonNullable<EnteredRun["signed"]>) => [
  agent,
  version,
  by,
  url,
  key,
];

/** Settings that make the problems of a suite others. How often an agent may call is its own, and in its row. */
const settings = [
  ...comparedSettings.filter((name) => !["environment", "seed", "maxProbes"].includes(name)),
  ...(["soakSeconds", "historySeconds", "watch", "thinkTime"] as const),
];

const usual = ExperimentRequest.parse({ environment: "any", model: noModel });

/** What is the same for all that may be compared: the cases but for their seed, and the settings that make them harder or easier. */
function boardOf({ report: { request }, part }: EnteredRun): string {
  const of = request.problems === undefined ? `: ${failuresText(request)}` : "";
  const others = settings
    .filter((name) => JSON.stringify(request[name]) !== JSON.stringify(usual[name]))
    .map((name) => `${name} ${JSON.stringify(request[name])}`);
  return [`${suiteOf(request)}${of}`, ...(part ? [partText(request, part)] : []), ...others].join("; ");
}

/** A list of problems is a part of their suites, or all of these. */
function suiteOf(request: ExperimentRequest): string {
  return Array.isArray(request.problems)
    ? `the problems of ${suitesIn(request.problems).join(", ")}`
    : subjectOf(request);
}

/** The suites that problems are of, by their full names, in order. */
export const suitesIn = (problems: readonly string[]): string[] =>
  [...new Set(problems.map((id) => id.split("/")[0] ?? id))].sort();

function failuresText({ failures, target }: ExperimentRequest): string {
  const named = Array.isArray(failures) ? failures.join(", ") : JSON.stringify(failures);
  return `${named}${target === undefined ? "" : ` on ${target}`}`;
}

/** Two parts of a suite are the same if these words are. */
function partText(
  { cases, task, problems }: ExperimentRequest,
  { planned, of }: NonNullable<EnteredRun["part"]>,
): string {
  const which = [
    ...(Array.isArray(problems) ? [`problems ${listed(problems)}`] : []),
    ...(cases ? [`cases ${rangesOf(cases)}`] : []),
    ...(task ? [`tasks ${task.toSorted().join(", ")}`] : []),
  ];
  return `a part, ${planned} of ${of} episodes (${which.join("; ")})`;
}

/** Their names, or of many the first and a digest, so that two lists never have the same text. */
function listed(problems: readonly string[]): string {
  const names = problems.toSorted();
  if (names.length <= mostNamed) return names.join(", ");
  return `${names[0]} and ${names.length - 1} others, ${digestOf(Buffer.from(names.join("\n"))).slice(0, 12)}`;
}

const mostNamed = 5;

/** `0-3, 7`. */
function rangesOf(numbers: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const number of [...new Set(numbers)].toSorted((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last && last[1] === number - 1) last[1] = number;
    else ranges.push([number, number]);
  }
  return ranges.map(([from, to]) => (from === to ? from : `${from}-${to}`)).join(", ");
}

/** What one agent did in one run. */
interface Played {
  readonly run: EnteredRun;
  readonly model: string;
  readonly method: string;
  readonly rows: readonly EpisodeRow[];
}

function entriesOf(runs: readonly EnteredRun[], partsOf: (task: string) => readonly string[]): Unranked[] {
  const played = runs.flatMap((run): Played[] => {
    const agents = Map.groupBy(run.report.episodes, ({ model, method }) => JSON.stringify([model, method]));
    return [...agents.values()].flatMap((rows) =>
      rows[0] ? [{ run, model: rows[0].model, method: rows[0].method, rows }] : [],
    );
  });
  return [...Map.groupBy(played, identityOf).values()].flatMap((own) => entryOf(own, partsOf) ?? []);
}

/** No one adds to the row of someone else: runs of another key are another row. */
function identityOf({ run: { signed, digest }, model, method }: Played): string {
  return JSON.stringify([...(signed ? rowOf(signed) : [digest]), model, method]);
}

function entryOf(
  given: readonly Played[],
  partsOf: (task: string) => readonly string[],
): Unranked | undefined {
  const own = given.toSorted((a, b) => (a.run.digest < b.run.digest ? -1 : 1));
  const [first] = own;
  if (!first) return undefined;
  const { signed } = first.run;
  const { model, method } = first;
  const rows = own.flatMap((one) => one.rows);
  const missing = own.flatMap(({ run }) =>
    run.missing.filter((one) => one.model === model && one.method === method),
  );
  return {
    agent: signed?.agent ?? (method === "Session" ? model : `${method}, ${model}`),
    version: signed?.version ?? null,
    by: signed?.by ?? null,
    url: signed?.url ?? null,
    ...{ model, method },
    bound: groupsOf(rows)[0]?.bound ?? null,
    ...ratesOf(rows, missing, partsOf),
    runs: own.map(({ run }) => runOf(run)),
  };
}

function runOf({ report, folder, digest, signed }: EnteredRun): Entry["runs"][number] {
  const { request, experimentId: experiment, harnessVersion, range } = report;
  const { seed, repeats, maxProbes = null } = request;
  const key = signed?.key ?? null;
  return { folder, experiment, seed, repeats, maxProbes, harnessVersion, range, digest, key };
}

/** Missing episodes are failures: else who leaves out what went wrong would gain. */
function ratesOf(
  rows: readonly EpisodeRow[],
  missing: readonly MissingEpisode[],
  partsOf: (task: string) => readonly string[],
) {
  // Cancelled ones are among the missing.
  const ended = rows.filter(({ outcome }) => outcome !== "cancelled");
  const { errorsAsFailures, cleanErrorsAsFailures, overall, tasks } = summarise(ended);
  const partsMissing = missing.flatMap((one) => partsOf(taskOf(one)));
  const repairs = partsMissing.filter((part) => part === defaultTask).length;
  return {
    success: withMissing(errorsAsFailures, missing.length),
    clean: cleanErrorsAsFailures.of + repairs === 0 ? null : withMissing(cleanErrorsAsFailures, repairs),
    tasks: tasks.map(({ task, errorsAsFailures: of }) => ({
      task,
      ...withMissing(of, partsMissing.filter((part) => part === task).length),
    })),
    missing: missing.length,
    costPerEpisode: overall.cost,
    tokensPerEpisode: overall.tokens,
    modelSeconds: overall.modelSeconds,
    clusterSeconds: overall.clusterSeconds,
  };
}

function withMissing({ of, hits }: Share, missing: number): Entry["success"] {
  const all = of + missing;
  const interval = wilsonInterval(hits, all);
  return {
    ...{ of: all, hits, rate: all === 0 ? null : hits / all },
    ...{ low: interval?.low ?? null, high: interval?.high ?? null },
  };
}

function rankedEntries(entries: readonly Unranked[]): Entry[] {
  const isCleanAsked = entries.every(({ clean }) => (clean?.of ?? 0) > 0);
  const keys = ({ clean, success }: Unranked): readonly number[] => [
    isCleanAsked ? (clean?.rate ?? -1) : 0,
    success.rate ?? -1,
  ];
  const compare = (a: Unranked, b: Unranked): number => {
    const [left, right] = [keys(a), keys(b)];
    return right.map((value, i) => value - (left[i] ?? 0)).find((difference) => difference !== 0) ?? 0;
  };
  const sorted = entries.toSorted((a, b) => compare(a, b) || (nameOf(a) < nameOf(b) ? -1 : 1));
  return sorted.map((entry) => ({
    rank: 1 + sorted.findIndex((other) => compare(other, entry) === 0),
    ...entry,
  }));
}

const nameOf = ({ agent, version, runs }: Unranked): string =>
  JSON.stringify([agent, version, runs.map(({ digest }) => digest)]);
