import type { SeriesName } from "@microremed/contracts";

/** The measured columns of a table of metrics, with what they are. */
export const metricColumns: Readonly<Record<SeriesName, { readonly name: string; readonly doc: string }>> = {
  cpu: { name: "cpu_cores", doc: "CPU time used in the step, in cores" },
  memory: { name: "memory_bytes", doc: "working set" },
  requests: { name: "requests_per_second", doc: "requests that the pod served" },
  errors: { name: "error_ratio", doc: "share of them that failed, 0 to 1; empty without requests" },
  latency: { name: "latency_mean_ms", doc: "mean time of the step's requests; empty without requests" },
  latency_p95: { name: "latency_p95_ms", doc: "95th percentile of the same" },
};
