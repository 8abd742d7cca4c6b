import type { PodSandbox } from "@microremed/sim-machine";
import { createExposition } from "./exposition.ts";

/** What a kubelet answers under /metrics/resource: what metrics-server reads. */
export function resourceMetricsText(sandboxes: Iterable<PodSandbox>): string {
  const out = createExposition();
  for (const sandbox of sandboxes) {
    let cpu = 0;
    let memory = 0;
    const pod = { namespace: sandbox.namespace, pod: sandbox.name };
    for (const { name, usage, startedAt } of sandbox.containers.values()) {
      const labels = { container: name, ...pod };
      cpu += usage.cpuTotal;
      memory += usage.memory;
      out.counter(
        "container_cpu_usage_seconds_total",
        "[STABLE] Cumulative cpu time consumed by the container in core-seconds",
        labels,
        usage.cpuTotal,
      );
      out.gauge(
        "container_memory_working_set_bytes",
        "[STABLE] Current working set of the container in bytes",
        labels,
        usage.memory,
      );
      out.gauge(
        "container_start_time_seconds",
        "[STABLE] Start time of the container since unix epoch in seconds",
        labels,
        startedAt / 1000,
      );
    }
    out.counter(
      "pod_cpu_usage_seconds_total",
      "[STABLE] Cumulative cpu time consumed by the pod in core-seconds",
      pod,
      cpu,
    );
    out.gauge(
      "pod_memory_working_set_bytes",
      "[STABLE] Current working set of the pod in bytes",
      pod,
      memory,
    );
  }
  return out.text();
}
