import { defaultTask, type ExperimentRequest, taskOf } from "@microremed/contracts";
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
  /** Those that the request plans and the run does not have, and those that were cancelled. */
  readonly missing: readonly MissingEpisode[];
  /** SHA-256 of `submission.json`, hex. */
  readonly digest: string;
  /** Null: it is not signed. */
  readonly signed: (Pick<Submission, "agent" | "version" | "by" | "url"> & { readonly key: string }) | null;
}

type Unranked = Omit<Entry, "rank">;

/**
 * A board for each set of cases and settings, in the order of their names. The order is by clean repairs where every entry was asked to
 * repair, then by passes; both count as `success` of an entry does. A run that is there twice is entered once. The same runs make the same leaderboard, in whatever order.
 * `partsOf`: the tasks that a task asks in turn, itself if it is one.
 */
export function buildLeaderboard(
  runs: readonly EnteredRun[],
  title: string,
  partsOf: (task: string) => readonly string[],
): Leaderboard {
  const once = new Map(runs.map((run) => [run.digest, run]));
  const boards = Map.groupBy(once.values(), ({ report }) => boardOf(report.request));
  return {
    format: leaderboardFormat,
    title,
    boards: [...boards]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([subject, own]) => ({
        subject,
        entries: rankedEntries(own.flatMap((run) => entriesOf(run, partsOf))),
      })),
  };
}

/** What is the same for all that may be compared: the cases but for their seed, and the settings that make them harder or easier. */
function boardOf(request: ExperimentRequest): string {
  const of = request.problems === undefined ? `: ${failuresText(request)}` : "";
  const settings = comparedSettings
    .filter((name) => !["environment", "seed"].includes(name))
    .map((name) => `${name} ${JSON.stringify(request[name]) ?? "default"}`);
  return `${subjectOf(request)}${of}; ${settings.join(", ")}`;
}

function failuresText({ failures, target }: ExperimentRequest): string {
  const named = Array.isArray(failures) ? failures.join(", ") : JSON.stringify(failures);
  return `${named}${target === undefined ? "" : ` on ${target}`}`;
}

function entriesOf(run: EnteredRun, partsOf: (task: string) => readonly string[]): Unranked[] {
  const { report, signed } = run;
  const { request } = report;
  const agents = Map.groupBy(report.episodes, ({ model, method }) => JSON.stringify([model, method]));
  return [...agents.values()].flatMap((rows) => {
    const [first] = rows;
    if (!first) return [];
    const { model, method } = first;
    const missing = run.missing.filter((one) => one.model === model && one.method === method);
    return [
      {
        agent: signed?.agent ?? (method === "Session" ? model : `${method}, ${model}`),
        version: signed?.version ?? null,
        by: signed?.by ?? null,
        url: signed?.url ?? null,
        ...{ model, method, seed: request.seed, repeats: request.repeats },
        bound: groupsOf(rows)[0]?.bound ?? null,
        ...ratesOf(rows, missing, partsOf),
        run: {
          folder: run.folder,
          experiment: report.experimentId,
          harnessVersion: report.harnessVersion,
          range: report.range,
          digest: run.digest,
          key: signed?.key ?? null,
        },
      },
    ];
  });
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

const nameOf = ({ agent, version, run }: Unranked): string => JSON.stringify([agent, version, run.digest]);
