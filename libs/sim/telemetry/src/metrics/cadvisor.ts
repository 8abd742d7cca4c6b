import type { ContainerRuntime, PodSandbox } from "@microremed/sim-machine";
import { createExposition, type Exposition } from "./exposition.ts";

export interface CadvisorFacts {
  readonly nodeCores: number;
  /** Bytes. */
  readonly nodeMemory: number;
  readonly sandboxes: Iterable<PodSandbox>;
  /** Bytes that a pod received and sent. */
  traffic(sandbox: PodSandbox): { readonly received: number; readonly sent: number };
}

/** CFS' enforcement period, us. */
const cpuPeriod = 100_000;

/**
 * What a kubelet answers under /metrics/cadvisor, as far as dashboards read it. Samples carry no timestamps of their own,
 * because cluster time is not the scraper's.
 */
export function cadvisorText(facts: CadvisorFacts): string {
  const out = createExposition();
  for (const sandbox of facts.sandboxes) {
    for (const container of sandbox.containers.values()) writeContainer(out, sandbox, container);
    if (sandbox.hostNetwork) continue;
    const { received, sent } = facts.traffic(sandbox);
    const labels = {
      id: `/kubepods/pod${sandbox.uid}`,
      interface: "eth0",
      namespace: sandbox.namespace,
      pod: sandbox.name,
    };
    out.counter(
      "container_network_receive_bytes_total",
      "Cumulative count of bytes received",
      labels,
      received,
    );
    out.counter(
      "container_network_transmit_bytes_total",
      "Cumulative count of bytes transmitted",
      labels,
      sent,
    );
  }
  out.gauge("machine_cpu_cores", "Number of logical CPU cores.", {}, facts.nodeCores);
  out.gauge("machine_memory_bytes", "Amount of memory installed on the machine.", {}, facts.nodeMemory);
  return out.text();
}

function writeContainer(out: Exposition, sandbox: PodSandbox, container: ContainerRuntime): void {
  const { usage, cpuLimit, memoryLimit } = container;
  const labels = {
    container: container.name,
    id: `/kubepods/pod${sandbox.uid}/${container.id}`,
    image: container.image,
    name: container.id,
    namespace: sandbox.namespace,
    pod: sandbox.name,
  };
  out.counter(
    "container_cpu_usage_seconds_total",
    "Cumulative cpu time consumed in seconds.",
    { ...labels, cpu: "total" },
    usage.cpuTotal,
  );
  if (cpuLimit !== undefined) {
    out.counter(
      "container_cpu_cfs_periods_total",
      "Number of elapsed enforcement period intervals.",
      labels,
      Math.floor(usage.periodsTotal),
    );
    out.counter(
      "container_cpu_cfs_throttled_periods_total",
      "Number of throttled period intervals.",
      labels,
      Math.floor(usage.throttledPeriodsTotal),
    );
    out.counter(
      "container_cpu_cfs_throttled_seconds_total",
      "Total time duration the container has been throttled.",
      labels,
      usage.throttledSecondsTotal,
    );
    out.gauge(
      "container_spec_cpu_quota",
      "CPU quota of the container.",
      labels,
      Math.round(cpuLimit * cpuPeriod),
    );
  }
  out.gauge("container_spec_cpu_period", "CPU period of the container.", labels, cpuPeriod);
  out.gauge("container_memory_usage_bytes", "Current memory usage in bytes.", labels, usage.memory);
  out.gauge("container_memory_working_set_bytes", "Current working set in bytes.", labels, usage.memory);
  out.gauge("container_memory_rss", "Size of RSS in bytes.", labels, usage.memory);
  out.gauge("container_spec_memory_limit_bytes", "Memory limit for the container.", labels, memoryLimit ?? 0);
  out.gauge(
    "container_start_time_seconds",
    "Start time of the container since unix epoch in seconds.",
    labels,
    container.startedAt / 1000,
  );
}
