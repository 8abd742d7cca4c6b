import type { Cluster, Pod } from "@microremed/kube";
import { addCounts, countsBetween, type EdgeCounts, edgeCountsOf, noCounts } from "./edge-counts.ts";

/** What every program of an arena has counted of its requests, at one moment. */
export interface RequestsReading {
  /** Cluster time, ms. */
  readonly at: number;
  /** Pod uid -> edge -> counts; only of pods that report any. */
  readonly programs: ReadonlyMap<string, ReadonlyMap<string, EdgeCounts>>;
}

/** Where an arena's request metrics come from. */
export type RequestSource = (cluster: Cluster, pods: readonly Pod[]) => Promise<RequestsReading>;

/** Where OpenTelemetry's exporter for Prometheus listens by default. */
const exporterPort = 9464;

/** Asks the exporter of every running pod through the API server's proxy: the counters are as fresh as the answer. */
export const scrapePods: RequestSource = async (cluster, pods) => {
  const running = pods.filter(({ status, metadata }) => status?.phase === "Running" && metadata.uid);
  const [at, ...answers] = await Promise.all([
    cluster.clock.now(),
    ...running.map(async ({ metadata }) => {
      const { namespace = "", name } = metadata;
      const server = { kind: "pods", namespace, name, port: exporterPort } as const;
      return cluster.fetchText(server, "/metrics");
    }),
  ]);
  const programs = running.flatMap(({ metadata }, index): [string, ReadonlyMap<string, EdgeCounts>][] => {
    const text = answers[index];
    const counts = text === undefined ? undefined : edgeCountsOf(metadata.labels?.["app"] ?? "", text);
    return counts && counts.size > 0 ? [[metadata.uid ?? "", counts]] : [];
  });
  return { at, programs: new Map(programs) };
};

/** Edge -> what all of its programs counted between two readings; those that came in between count from their start. */
export function edgesBetween(before: RequestsReading, after: RequestsReading): Map<string, EdgeCounts> {
  const edges = new Map<string, EdgeCounts>();
  for (const [uid, counts] of after.programs) {
    for (const [edge, now] of counts) {
      const grown = countsBetween(before.programs.get(uid)?.get(edge), now);
      edges.set(edge, addCounts(edges.get(edge) ?? noCounts, grown));
    }
  }
  return edges;
}
