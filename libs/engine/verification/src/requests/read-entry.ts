import {
  addCounts,
  type Environment,
  lateOf,
  noCounts,
  objectiveMs,
  type RequestsReading,
  workloadAtEntry,
} from "@microremed/catalogue";
import type { EdgeBaseline, RequestReading } from "@microremed/contracts";

/** Whose counters say how users' requests go, and the edge's name among them. */
export interface EntryCounters {
  readonly workload: string;
  readonly baseline: EdgeBaseline;
}

/**
 * The arena's load generator, so that a dead entry is seen; where that counts nothing, as k6 and locust do by themselves, the
 * entry itself. Undefined: neither of them is in the baseline.
 */
export function entryCounters(
  environment: Environment,
  edges: readonly EdgeBaseline[],
): EntryCounters | undefined {
  const { load } = environment;
  const entry = workloadAtEntry(environment);
  const sources = [
    ...(load.from === undefined ? [] : [[load.from, `${load.from} -> ${load.entry}`] as const]),
    ...(entry === undefined ? [] : [[entry, entry] as const]),
  ];
  for (const [workload, name] of sources) {
    const baseline = edges.find(({ edge }) => edge === name);
    if (baseline) return { workload, baseline };
  }
  return undefined;
}

/** How the entry's requests went so far. */
export function readEntry({ baseline }: EntryCounters, { at, programs }: RequestsReading): RequestReading {
  const asking = [...programs.values()].filter(({ edges }) => edges.has(baseline.edge));
  const counts = asking.reduce(
    (sum, { edges }) => addCounts(sum, edges.get(baseline.edge) ?? noCounts),
    noCounts,
  );
  const slow = lateOf(counts, objectiveMs(baseline));
  return {
    at: Math.min(at, ...asking.map((program) => program.at)),
    good: counts.ok - slow,
    failed: counts.failed,
    slow,
  };
}
