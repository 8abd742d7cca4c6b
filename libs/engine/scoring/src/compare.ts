import { type ExperimentRequest, isPassed } from "@microremed/contracts";
import { probesFor } from "@microremed/llm/policy-needs";
import { bootstrapMean } from "./bootstrap.ts";
import type { EpisodeRow } from "./episode-row.ts";
import { type Group, groupsOf } from "./group.ts";
import { mcnemarExact } from "./mcnemar.ts";
import type { Report } from "./report.ts";
import { subjectOf } from "./subject-of.ts";
import { hasErred, isControl, isJudged, type Summary, withErrors } from "./summary.ts";
import { notWhole } from "./tables.ts";
import type { Interval } from "./wilson.ts";

/** One model with one method at one task of one experiment. */
export interface Side {
  readonly experimentId: string;
  readonly environment: string;
  readonly model: string;
  readonly method: string;
  readonly task: string;
  readonly summary: Pick<Summary, "injected" | "remediated" | "successRate" | "successInterval" | "passHat">;
}

/** Means over the pairs, their difference (B - A) and its bootstrap interval. */
export interface Difference {
  readonly name: string;
  readonly a: number;
  readonly b: number;
  readonly difference: number;
  readonly interval: Interval | null;
}

/**
 * Two groups compared pair by pair. `both`, `onlyA`, `onlyB` and `neither` count the pairs by which sides solved them
 * and add up to `pairs`.
 */
export interface Comparison {
  readonly a: Side;
  readonly b: Side;
  /** Runs of the same case that were judged on both sides. */
  readonly pairs: number;
  readonly both: number;
  readonly onlyA: number;
  readonly onlyB: number;
  readonly neither: number;
  /** Exact McNemar test, two-sided. */
  readonly p: number;
  readonly success: Difference | null;
  /** The same two if harness errors after the agent had been given something were failures; null: there are none. */
  readonly withErrors: {
    readonly success: Difference | null;
    readonly p: number;
    readonly pairs: number;
  } | null;
  /** Of the pairs in which it was asked on both sides. */
  readonly clean: Difference | null;
  readonly measures: readonly Difference[];
  /** Why the two may not be comparable. */
  readonly warnings: readonly string[];
}

/** The part of a report that a comparison needs. */
export type ComparedReport = Pick<
  Report,
  "experimentId" | "harnessVersion" | "range" | "request" | "episodes" | "planned" | "unfounded"
>;

/** One side of a comparison: the report it is from and the group within it. */
export interface Compared {
  readonly report: ComparedReport;
  readonly group: Pick<Group, "model" | "method" | "task">;
}

type Pair = readonly [a: EpisodeRow, b: EpisodeRow];

const measures: readonly [name: string, pick: (row: EpisodeRow) => number | null][] = [
  ["model s (wall clock)", (row) => row.modelSeconds],
  ["cluster s (cluster time)", (row) => row.clusterSeconds],
  ["recovery s (cluster time)", (row) => row.recoverySeconds],
  ["attempts", (row) => row.attempts],
  ["tokens", (row) => row.tokens],
  ["US$", (row) => row.cost],
];

/** Compares two on the cases that they share, run by run. The seed decides the bootstrap's draws. */
export function compareGroups(a: Compared, b: Compared, seed: number): Comparison {
  const [left, right] = [rowsOf(a), rowsOf(b)];
  const pairs = pairsOf(left, right);
  const count = (isA: boolean, isB: boolean) =>
    pairs.filter(([one, other]) => isSuccess(one) === isA && isSuccess(other) === isB).length;
  const [onlyA, onlyB] = [count(true, false), count(false, true)];
  return {
    a: sideOf(a, left),
    b: sideOf(b, right),
    pairs: pairs.length,
    both: count(true, true),
    onlyA,
    onlyB,
    neither: count(false, false),
    p: mcnemarExact(onlyA, onlyB),
    success: differenceOf("success", pairs, (row) => Number(isSuccess(row)), seed),
    withErrors: comparedWithErrors(left, right, seed),
    clean: differenceOf("clean", pairs, ({ clean }) => (clean === null ? null : Number(clean)), seed),
    measures: measures.flatMap(([name, pick]) => differenceOf(name, pairs, pick, seed) ?? []),
    warnings: warningsOf(a, b, left, right, pairs),
  };
}

/** The judged runs of the group's cases; controls are no cases. */
function rowsOf({ report, group }: Compared): EpisodeRow[] {
  const { model, method, task } = group;
  return report.episodes.filter(
    (row) => row.model === model && row.method === method && row.task === task && !isControl(row),
  );
}

function sideOf({ report, group }: Compared, rows: readonly EpisodeRow[]): Side {
  const { model, method, task } = group;
  const [own] = groupsOf(rows);
  if (!own) throw new RangeError(`${model} with ${method} has no episode in ${report.experimentId}`);
  const { injected, remediated, successRate, successInterval, passHat } = own.summary;
  const summary = { injected, remediated, successRate, successInterval, passHat };
  return {
    experimentId: report.experimentId,
    environment: subjectOf(report.request),
    model,
    method,
    task,
    summary,
  };
}

const runOf = ({ caseId, repeat }: EpisodeRow): string => `${caseId} run ${repeat}`;

/** A side that ends its worst runs with errors would drop their pairs. */
function comparedWithErrors(
  left: readonly EpisodeRow[],
  right: readonly EpisodeRow[],
  seed: number,
): Comparison["withErrors"] {
  if (![...left, ...right].some(hasErred)) return null;
  const isHit = (row: EpisodeRow): boolean | null => withErrors(row, isSuccess(row));
  const pairs = pairsOf(left, right, (row) => isHit(row) !== null);
  const only = (isA: boolean): number =>
    pairs.filter(([one, other]) => isHit(one) === isA && isHit(other) === !isA).length;
  return {
    pairs: pairs.length,
    p: mcnemarExact(only(true), only(false)),
    success: differenceOf("success with errors as failures", pairs, (row) => Number(isHit(row)), seed),
  };
}

function pairsOf(
  left: readonly EpisodeRow[],
  right: readonly EpisodeRow[],
  isCounted: (row: EpisodeRow) => boolean = isJudged,
): Pair[] {
  const others = new Map(right.filter(isCounted).map((row) => [runOf(row), row]));
  return left.filter(isCounted).flatMap((row): Pair[] => {
    const other = others.get(runOf(row));
    return other ? [[row, other]] : [];
  });
}

function isSuccess({ outcome }: EpisodeRow): boolean {
  return isPassed(outcome);
}

/** Over the pairs in which both sides have the number; `null`: there are none. */
function differenceOf(
  name: string,
  pairs: readonly Pair[],
  pick: (row: EpisodeRow) => number | null,
  seed: number,
): Difference | null {
  const known = pairs.flatMap(([one, other]) => {
    const [a, b] = [pick(one), pick(other)];
    return a === null || b === null ? [] : [{ caseId: one.caseId, a, b }];
  });
  if (known.length === 0) return null;
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [a, b] = [mean(known.map((pair) => pair.a)), mean(known.map((pair) => pair.b))];
  const byCase = [...Map.groupBy(known, ({ caseId }) => caseId).values()];
  const interval = bootstrapMean(
    byCase.map((runs) => runs.map((run) => run.b - run.a)),
    seed,
  );
  return {
    name,
    a,
    b,
    difference: b - a,
    interval: interval ? { low: interval.low, high: interval.high } : null,
  };
}

/** Fields of a request that make the same case another task. */
export const comparedSettings = [
  "environment",
  "seed",
  "parameters",
  "report",
  "feedback",
  "verdict",
  "concealment",
  "persistence",
  "policy",
  "maxAttempts",
  "maxProbes",
] as const satisfies readonly (keyof ExperimentRequest)[];

/** What a side ran with: where the request says nothing, what follows from the model. */
function settingsOf({ report: { request }, group: { model } }: Compared): ComparedReport["request"] {
  return { ...request, maxProbes: probesFor(model, request) };
}

function warningsOf(
  ofA: Compared,
  ofB: Compared,
  left: readonly EpisodeRow[],
  right: readonly EpisodeRow[],
  pairs: readonly Pair[],
): string[] {
  const [{ report: a }, { report: b }] = [ofA, ofB];
  const [one, other] = [settingsOf(ofA), settingsOf(ofB)];
  const differing = comparedSettings.filter(
    (name) => JSON.stringify(one[name]) !== JSON.stringify(other[name]),
  );
  const paired = new Set(pairs.map(([run]) => runOf(run)));
  const alone = (rows: readonly EpisodeRow[], side: string): string[] => {
    const some = rows.filter((row) => !paired.has(runOf(row)));
    if (some.length === 0) return [];
    const shown = some.slice(0, 3).map((row) => `${runOf(row)} (${row.outcome ?? "running"})`);
    const more = some.length > shown.length ? ", ..." : "";
    return [
      `${some.length} of ${rows.length} runs of ${side} have no counterpart with a verdict: ${shown.join(", ")}${more}`,
    ];
  };
  const harness =
    a.harnessVersion === b.harnessVersion
      ? []
      : [`MicroRemed differs: ${a.harnessVersion} and ${b.harnessVersion}`];
  const range = a.range === b.range ? [] : [`the range differs: ${a.range} and ${b.range}`];
  return [
    ...notWhole(a).map((sentence) => `A: ${sentence}`),
    ...notWhole(b).map((sentence) => `B: ${sentence}`),
    ...harness,
    ...range,
    ...differing.map((name) => `${name} differs: ${one[name]} and ${other[name]}`),
    ...alone(left, "A"),
    ...alone(right, "B"),
    ...(pairs.length === 0 ? ["no runs can be paired, so there is nothing to compare"] : []),
  ];
}
