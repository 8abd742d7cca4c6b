import { addCounts, countsBetween, type EdgeCounts, noCounts } from "./edge-counts.ts";
import { queryPrometheus } from "./query-prometheus.ts";
import type { RequestSource, RequestsReading } from "./request-source.ts";
import { scrapePods } from "./scrape-pods.ts";

/** Asks the cluster's Prometheus where one is configured, else every program's own exporter. */
export const readRequests: RequestSource = (cluster, pods) =>
  cluster.prometheus ? queryPrometheus(cluster.prometheus)(cluster, pods) : scrapePods(cluster, pods);

/** What was counted of an edge, and in which time. */
export interface EdgeWindow {
  readonly counts: EdgeCounts;
  readonly seconds: number;
}

/**
 * Edge -> what all of its programs counted between two readings. Those that came in between count from their start;
 * those that were there and silent at first do not count, for nobody knows when they counted what they tell.
 */
export function edgesBetween(before: RequestsReading, after: RequestsReading): Map<string, EdgeWindow> {
  const windows = new Map<string, EdgeWindow[]>();
  for (const [uid, now] of after.programs) {
    const then = before.programs.get(uid);
    if (!then && before.silent.has(uid)) continue;
    const seconds = (now.at - (then?.at ?? before.at)) / 1000;
    for (const [edge, counts] of now.edges) {
      const window = { counts: countsBetween(then?.edges.get(edge), counts), seconds };
      windows.set(edge, [...(windows.get(edge) ?? []), window]);
    }
  }
  return new Map([...windows].map(([edge, some]) => [edge, together(some)]));
}

/** Whether nothing is missing of what was counted between two readings: no program was silent at one of them only. */
export function isWhole(before: RequestsReading, after: RequestsReading): boolean {
  const toldByNone = ({ silent }: RequestsReading, { programs }: RequestsReading): boolean =>
    silent.values().every((uid) => !programs.has(uid));
  return toldByNone(before, after) && toldByNone(after, before);
}

/** Replicas share an edge's requests: their counts add up, the time is the mean of theirs. */
function together(windows: readonly EdgeWindow[]): EdgeWindow {
  return {
    counts: windows.reduce((sum, { counts }) => addCounts(sum, counts), noCounts),
    seconds: windows.reduce((sum, { seconds }) => sum + seconds, 0) / windows.length,
  };
}
