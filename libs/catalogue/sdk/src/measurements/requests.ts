import { addCounts, countsBetween, type EdgeCounts, noCounts } from "./edge-counts.ts";

/** What one program has counted of its requests. */
export interface ProgramCounts {
  /** Cluster time, ms, of the counts. */
  readonly at: number;
  readonly edges: ReadonlyMap<string, EdgeCounts>;
}

/** What every program of an arena has counted of its requests. */
export interface RequestsReading {
  /** Cluster time, ms, of the reading: no counts are newer. */
  readonly at: number;
  /** By the pod's uid; of a program that has counted nothing yet without an edge. */
  readonly programs: ReadonlyMap<string, ProgramCounts>;
  /** Uids of pods that were there and did not answer: what they report later has no known beginning. */
  readonly silent: ReadonlySet<string>;
}

/** What was counted of an edge, and in which time. */
export interface EdgeWindow {
  readonly counts: EdgeCounts;
  readonly seconds: number;
  /** Cluster time of its end, ms; absent: that of the check. */
  readonly to?: number;
}

/**
 * Edge -> what all of its programs counted between two readings. Those that came in between count from their start;
 * those that were there and silent at first do not count, because the time that their counts cover is not known.
 */
export function edgesBetween(before: RequestsReading, after: RequestsReading): Map<string, EdgeWindow> {
  const windows = new Map<string, EdgeWindow[]>();
  for (const [uid, now] of after.programs) {
    const then = before.programs.get(uid);
    if (!then && before.silent.has(uid)) continue;
    const seconds = (now.at - (then?.at ?? before.at)) / 1000;
    for (const [edge, counts] of now.edges) {
      const window = { counts: countsBetween(then?.edges.get(edge), counts), seconds, to: now.at };
      windows.set(edge, [...(windows.get(edge) ?? []), window]);
    }
  }
  return new Map([...windows].map(([edge, some]) => [edge, together(some)]));
}

/** Whether nothing is missing of what was counted between two readings: no program was silent at one of them only. */
export function isWhole(before: RequestsReading, after: RequestsReading): boolean {
  const reportedByNone = ({ silent }: RequestsReading, { programs }: RequestsReading): boolean =>
    silent.values().every((uid) => !programs.has(uid));
  return reportedByNone(before, after) && reportedByNone(after, before);
}

/** Replicas share an edge's requests: their counts add up, the time is the mean of theirs. */
function together(windows: readonly EdgeWindow[]): EdgeWindow {
  return {
    counts: windows.reduce((sum, { counts }) => addCounts(sum, counts), noCounts),
    seconds: windows.reduce((sum, { seconds }) => sum + seconds, 0) / windows.length,
    to: Math.max(...windows.map(({ to = 0 }) => to)),
  };
}
