import { type ExpositionSample, edgeCountsOf, type ProgramCounts } from "@microremed/catalogue";
import type { Cluster } from "@microremed/cluster";
import type { RequestSource } from "./request-source.ts";

type Query = NonNullable<Cluster["prometheus"]>;
type Series = Awaited<ReturnType<Query>>[number];

const requestMetrics =
  "(http_(server|client)_request|rpc_(server|client)_call|(db|messaging)_client_operation)_duration_seconds_(bucket|count)";
/** Samples older than this are not there: a program is scraped once a minute at the latest. */
const range = "2m";

/**
 * Reads the last sample of every series of the pods, with the time at which it was scraped: a range selector gives raw
 * samples, an instant one would hide their age. Series need the labels `namespace` and `pod`.
 */
export function queryPrometheus(query: Query): RequestSource {
  return async (cluster, pods, nameOf) => {
    const at = await cluster.clock.now();
    const namespace = pods[0]?.metadata.namespace ?? "";
    const series = await query(`{__name__=~"${requestMetrics}",namespace="${namespace}"}[${range}]`);
    const byPod = Map.groupBy(series.flatMap(lastSample), ({ labels }) => labels["pod"] ?? "");
    const programs = pods.flatMap((pod): [string, ProgramCounts][] => {
      const { metadata } = pod;
      const samples = byPod.get(metadata.name) ?? [];
      const edges = edgeCountsOf(nameOf(pod), samples);
      const scrapedAt = Math.max(...samples.map((sample) => sample.at));
      return edges.size > 0 ? [[metadata.uid ?? "", { at: Math.min(at, scrapedAt), edges }]] : [];
    });
    // A program without a series has not counted anything yet: its exporter starts a series with the first request.
    return { at, programs: new Map(programs), silent: new Set() };
  };
}

function lastSample({ metric, values }: Series): (ExpositionSample & { readonly at: number })[] {
  const last = values?.at(-1);
  if (!last) return [];
  const { __name__: name = "", ...labels } = metric;
  return [{ name, labels, value: Number(last[1]), at: last[0] * 1000 }];
}
