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

/** Edge -> what all of its programs counted between two readings; those that came in between count from their start. */
export function edgesBetween(before: RequestsReading, after: RequestsReading): Map<string, EdgeWindow> {
  const windows = new Map<string, EdgeWindow[]>();
  for (const [uid, now] of after.programs) {
    const then = before.programs.get(uid);
    const seconds = (now.at - (then?.at ?? before.at)) / 1000;
    for (const [edge, counts] of now.edges) {
      const window = { counts: countsBetween(then?.edges.get(edge), counts), seconds };
      windows.set(edge, [...(windows.get(edge) ?? []), window]);
    }
  }
  return new Map([...windows].map(([edge, some]) => [edge, together(some)]));
}

/** Replicas share an edge's requests: their counts add up, the time is the mean of theirs. */
function together(windows: readonly EdgeWindow[]): EdgeWindow {
  return {
    counts: windows.reduce((sum, { counts }) => addCounts(sum, counts), noCounts),
    seconds: windows.reduce((sum, { seconds }) => sum + seconds, 0) / windows.length,
  };
}
