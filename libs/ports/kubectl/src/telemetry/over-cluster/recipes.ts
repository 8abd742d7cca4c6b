import type { SeriesName } from "@microremed/contracts";
import { podNamePattern } from "@microremed/kube-rules";

/** A rate needs some scrapes, which come every 15 to 30 s: shorter steps have the rate of so many seconds. */
const shortestRange = 60;
/** Between two readings of a gauge: as often as it is scraped, and no more than so many in a range. */
const scrapeSeconds = 15;
const mostReadings = 240;

/** What the recipes are about. */
export interface RecipeOptions {
  readonly namespace: string;
  readonly per: "pod" | "workload";
  readonly stepSeconds: number;
}

/**
 * PromQL of a measurement over a step, in the names of cAdvisor and of OpenTelemetry's semantic conventions: a series for
 * each pod, or for each workload, with the label of that name. No value where nothing was served.
 */
export function recipeOf(name: SeriesName, { namespace, per, stepSeconds }: RecipeOptions): string {
  const range = Math.max(shortestRange, Math.ceil(stepSeconds));
  const between = Math.max(scrapeSeconds, Math.ceil(range / mostReadings));
  const pods = `namespace=${JSON.stringify(namespace)}`;
  const containers = `${pods},container!=""`;

  /** With the workload's name, which is only in the pod's name. */
  const named = (series: string): string =>
    per === "pod"
      ? series
      : `label_replace(${series}, "workload", "$1", "pod", ${JSON.stringify(podNamePattern)})`;
  const sum = (series: string, by: string = per): string => `sum by (${by}) (${named(series)})`;
  /** Requests served over HTTP and over gRPC, apart by a label: a pod may serve both. */
  const served = (suffix: string, of = pods): string =>
    `(${protocols
      .map(([protocol, histogram]) => {
        const rate = `rate(${histogram}_duration_seconds_${suffix}{${of}}[${range}s])`;
        return `label_replace(${rate}, "served", "${protocol}", "", "")`;
      })
      .join(" or ")})`;
  const requests = sum(served("count"));

  switch (name) {
    case "cpu":
      return sum(`rate(container_cpu_usage_seconds_total{${containers}}[${range}s])`);
    case "memory":
      return `avg_over_time((${sum(`container_memory_working_set_bytes{${containers}}`)})[${range}s:${between}s])`;
    case "requests":
      return requests;
    case "errors":
      return `(${sum(served("count", `${pods},error_type!=""`))} or 0 * ${requests}) / (${requests} > 0)`;
    case "latency":
      return `1000 * ${sum(served("sum"))} / (${requests} > 0)`;
    case "latency_p95":
      return `1000 * histogram_quantile(0.95, ${sum(served("bucket"), `${per}, le`)}) and (${requests} > 0)`;
  }
}

const protocols = [
  ["http", "http_server_request"],
  ["rpc", "rpc_server_call"],
] as const;
