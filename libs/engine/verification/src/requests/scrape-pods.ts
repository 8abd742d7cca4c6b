import { edgeCountsOf, isRequestMetric, type ProgramCounts, parseExposition } from "@microremed/catalogue";
import type { RequestSource } from "./request-source.ts";

/** Where OpenTelemetry's exporter for Prometheus listens by default. */
const exporterPort = 9464;

/** Asks the exporter of every running pod through the API server's proxy: the counters are as fresh as the answer. */
export const scrapePods: RequestSource = async (cluster, pods, nameOf) => {
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
  for (const [index, pod] of running.entries()) {
    const { uid = "" } = pod.metadata;
    const text = answers[index];
    if (text === undefined) silent.add(uid);
    else
      programs.set(uid, {
        at,
        edges: edgeCountsOf(nameOf(pod), parseExposition(text, isRequestMetric)),
      });
  }
  return { at, programs, silent };
};
