import { edgeCountsOf, isRequestMetric } from "./edge-counts.ts";
import { parseExposition } from "./exposition.ts";
import type { ProgramCounts, RequestSource } from "./request-source.ts";

/** Where OpenTelemetry's exporter for Prometheus listens by default. */
const exporterPort = 9464;

/** Asks the exporter of every running pod through the API server's proxy: the counters are as fresh as the answer. */
export const scrapePods: RequestSource = async (cluster, pods) => {
  const running = pods.filter(({ status, metadata }) => status?.phase === "Running" && metadata.uid);
  const [at, ...answers] = await Promise.all([
    cluster.clock.now(),
    ...running.map(async ({ metadata }) => {
      const { namespace = "", name } = metadata;
      return cluster.fetchText({ kind: "pods", namespace, name, port: exporterPort }, "/metrics");
    }),
  ]);
  const programs = new Map<string, ProgramCounts>();
  const silent = new Set<string>();
  for (const [index, { metadata }] of running.entries()) {
    const { uid = "", labels } = metadata;
    const text = answers[index];
    if (text === undefined) silent.add(uid);
    else
      programs.set(uid, {
        at,
        edges: edgeCountsOf(labels?.["app"] ?? "", parseExposition(text, isRequestMetric)),
      });
  }
  return { at, programs, silent };
};
