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

/** The source of the users' counters: the arena's load generator, so that a dead entry is seen, else the entry itself. */
export function entryWorkload(environment: Environment): string | undefined {
  return environment.load.from ?? workloadAtEntry(environment);
}

/** The edge on which users' requests enter; undefined: the entry has no workload. */
export function entryEdge(environment: Environment): string | undefined {
  const { load } = environment;
  return load.from === undefined ? entryWorkload(environment) : `${load.from} -> ${load.entry}`;
}

/** How the entry's requests went so far; undefined: the baseline does not know the entry's edge. */
export function readEntry(
  environment: Environment,
  edges: readonly EdgeBaseline[],
  { at, programs }: RequestsReading,
): RequestReading | undefined {
  const name = entryEdge(environment);
  const baseline = edges.find(({ edge }) => edge === name);
  if (!baseline) return undefined;
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
