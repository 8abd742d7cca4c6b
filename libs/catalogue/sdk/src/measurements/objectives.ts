import type { EdgeBaseline, LoadOrder, Measurement } from "@microremed/contracts";
import { meanLoad } from "../environment/load-curve.ts";
import { atLeast, poissonAtMost } from "../statistics/binomial.ts";
import { type EdgeCounts, noCounts, quantileBound } from "./edge-counts.ts";
import type { EdgeWindow } from "./requests.ts";

/** Chance that an edge which just meets an objective is said to miss it. */
const significance = 1e-3;
/** Failures that an edge may have on top of its baseline's, as a share of its requests. */
const failureBudget = 0.01;
/** Share of the requests that may be later than the objective: it is one for the 95th percentile. */
const lateShare = 0.05;
/** By how much the 95th percentile may exceed the baseline's. */
const latencyFactor = 2;
const latencyAllowanceMs = 50;
/** Counts of a shorter time, s, do not cover the hold window: the last scrape was before it. */
const leastSeconds = 10;
/** Traffic below this share of the baseline's counts as stopped. */
const leastTraffic = 0.5;

/** Edge -> requests per second, success and 95th percentile of the healthy system. Edges without a request are left out. */
export function baselineEdges(edges: ReadonlyMap<string, EdgeWindow>): EdgeBaseline[] {
  return [...edges].flatMap(([edge, { counts, seconds }]): EdgeBaseline[] => {
    const requests = counts.ok + counts.failed;
    const p95Ms = quantileBound(counts, 1 - lateShare);
    if (requests === 0 || seconds <= 0 || !Number.isFinite(p95Ms)) return [];
    return [{ edge, perSecond: requests / seconds, success: counts.ok / requests, p95Ms }];
  });
}

/**
 * The latency objective of an edge, ms: twice its healthy 95th percentile, and 50 ms more for edges that take almost
 * no time.
 */
export function objectiveMs({ p95Ms }: Pick<EdgeBaseline, "p95Ms">): number {
  return latencyFactor * p95Ms + latencyAllowanceMs;
}

/** Requests without an error that took longer than the objective; a bucket that straddles it counts as in time. */
export function lateOf({ ok, within }: EdgeCounts, limitMs: number): number {
  const covering = Math.min(...[...within.keys()].filter((bound) => bound >= limitMs));
  return Math.max(0, ok - (within.get(covering) ?? ok));
}

/** What was found on all edges. `problems` is empty when every edge meets its objectives. */
export interface EdgeJudgement {
  readonly problems: readonly string[];
  readonly measurements: readonly Measurement[];
}

/**
 * Judges every edge of the baseline on what was counted in a window of `wholeSeconds`. An edge misses an objective when what was counted
 * would be seen with a probability below 1e-3 if it met the objective: exact binomial tails for failed and late
 * requests, Poisson's for their number. `load`: what the load followed meanwhile, times the baseline's rates; absent: those. With few requests this shows large departures only.
 */
export function judgeEdges(
  baseline: readonly EdgeBaseline[],
  windows: ReadonlyMap<string, EdgeWindow>,
  wholeSeconds: number,
  at: number,
  load?: LoadOrder,
): EdgeJudgement {
  const orders = load ? [load] : [];
  const problems: string[] = [];
  const measurements: Measurement[] = [];
  for (const before of baseline) {
    const window: EdgeWindow = windows.get(before.edge) ?? { counts: noCounts, seconds: wholeSeconds };
    const { counts, seconds, to = at } = window;
    if (seconds < leastSeconds) {
      problems.push(`${before.edge} has no fresh counts of its requests`);
      measurements.push({
        name: `requests of ${before.edge}`,
        value: null,
        unit: "requests",
        threshold: null,
        at,
      });
      continue;
    }
    const { ok, failed } = counts;
    const requests = ok + failed;
    const limitMs = objectiveMs(before);
    const late = lateOf(counts, limitMs);
    const failureRate = Math.min(1, 1 - before.success + failureBudget);
    const expected = before.perSecond * seconds * meanLoad(orders, to - seconds * 1000, to);
    const found = [
      failed > 0 && atLeast(requests, failureRate, failed) < significance
        ? `${failed} of ${requests} requests of ${before.edge} failed`
        : undefined,
      late > 0 && atLeast(ok, lateShare, late) < significance
        ? `${late} of ${ok} requests of ${before.edge} took longer than ${limitMs} ms`
        : undefined,
      poissonAtMost(leastTraffic * expected, requests) < significance
        ? `${before.edge} had ${requests} requests in ${Math.round(seconds)} s, ${Math.round(expected)} are usual`
        : undefined,
    ].filter((problem) => problem !== undefined);
    problems.push(...found);
    const thresholds = { success: 1 - failureRate, requests: leastTraffic * expected };
    measurements.push(...measured(before.edge, { requests, ok, late }, thresholds, at, found.length > 0));
  }
  return { problems, measurements };
}

/** All that was counted of an edge in trouble; of one in order, where there may be hundreds, its success alone. */
function measured(
  edge: string,
  counts: { readonly requests: number; readonly ok: number; readonly late: number },
  thresholds: { readonly success: number; readonly requests: number },
  at: number,
  inFull: boolean,
): Measurement[] {
  const { requests, ok, late } = counts;
  const of = (name: string, value: number, unit: string, threshold: number): Measurement => ({
    name: `${name} of ${edge}`,
    value,
    unit,
    threshold,
    at,
  });
  const shares = [
    of(`success of ${requests} requests`, ok / requests, "share", thresholds.success),
    of("late requests", ok === 0 ? 0 : late / ok, "share", lateShare),
  ];
  if (!inFull) return requests === 0 ? [] : shares.slice(0, 1);
  const count = of("requests", requests, "requests", thresholds.requests);
  return requests === 0 ? [count] : [...shares, count];
}
