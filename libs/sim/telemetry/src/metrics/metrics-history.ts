import type { Machine, PodSandbox } from "@microremed/sim-machine";
import type { EventLoop } from "@microremed/sim-time";

/** What physics reports of a pod's requests; its own type satisfies this. */
interface ServedRequests {
  readonly pod: string;
  readonly workload: string;
  readonly requestsPerSecond: number;
  /** 0..1 */
  readonly successRatio: number;
  readonly latencyMs: number;
  readonly latencyP95Ms: number;
}

/** The measurements of a pod, in the order in which they are stored. */
export const measured = ["cpu", "memory", "requests", "errors", "latency", "latency_p95"] as const;

/** One pod at one moment: cores, bytes, requests/s, share of failed requests (0..1), ms, ms. */
interface PodSample {
  readonly namespace: string;
  readonly pod: string;
  readonly workload: string;
  readonly values: readonly number[];
}

interface Sample {
  /** Cluster time, ms. */
  readonly at: number;
  readonly pods: readonly PodSample[];
}

/** How often pods are measured unless it is said, ms, and how much of it is kept: an hour. */
const usualSampleMs = 5_000;
const keptMs = 3_600_000;

/** One pod's measurements, averaged over each step; null: the pod was not measured in it. */
export interface PodSeries {
  readonly pod: string;
  readonly workload: string;
  readonly values: readonly (readonly number[] | null)[];
}

/** A stretch of the history of a namespace. */
export interface SeriesRange {
  /** What the numbers of a moment are, in order. */
  readonly names: readonly string[];
  /** Cluster time, ms: the end of each step. */
  readonly at: readonly number[];
  readonly series: readonly PodSeries[];
}

/** What a Prometheus beside the cluster would have stored of its pods. Disposing it stops measuring. */
export interface MetricsHistory extends Disposable {
  /** Cluster times and steps in ms. */
  range(namespace: string, from: number, to: number, stepMs: number): SeriesRange;
}

/** Measures every pod again and again, and keeps the last hour. */
export function startMetricsHistory(deps: {
  readonly loop: EventLoop;
  readonly machine: Machine;
  readonly physics: { readonly services: (namespace: string) => readonly ServedRequests[] };
  /** How often pods are measured, ms of cluster time; default 5 s. */
  readonly sampleMs?: number | undefined;
}): MetricsHistory {
  const { loop, machine, physics, sampleMs = usualSampleMs } = deps;
  const samples = loop.keep<Sample[]>([]);
  const totals = loop.keep(new Map<string, number>());

  function sample(): void {
    const byNamespace = Map.groupBy(machine.sandboxes.values(), ({ namespace }) => namespace);
    const pods = [...byNamespace].flatMap(([namespace, sandboxes]) => {
      const served = new Map(physics.services(namespace).map((each) => [each.pod, each]));
      return sandboxes.map((sandbox) => measure(sandbox, served.get(sandbox.name)));
    });
    for (const uid of totals.keys()) if (!machine.sandboxes.has(uid)) totals.delete(uid);
    samples.push({ at: loop.now(), pods });
    if (samples.length > keptMs / sampleMs) samples.shift();
  }

  function measure(sandbox: PodSandbox, served: ServedRequests | undefined): PodSample {
    const usages = [...sandbox.containers.values()].map(({ usage }) => usage);
    const total = usages.reduce((sum, { cpuTotal }) => sum + cpuTotal, 0);
    const before = totals.get(sandbox.uid) ?? total;
    totals.set(sandbox.uid, total);
    // A container that was replaced counts from zero again.
    const cpu = Math.max(0, total - before) / (sampleMs / 1000);
    const memory = usages.reduce((sum, usage) => sum + usage.memory, 0);
    const requests = served
      ? [served.requestsPerSecond, 1 - served.successRatio, served.latencyMs, served.latencyP95Ms]
      : [0, 0, 0, 0];
    const { namespace, name: pod } = sandbox;
    const workload = served?.workload ?? pod.replace(/(-[a-z0-9]{6,10})?-[a-z0-9]{5}$|-\d+$/, "");
    return { namespace, pod, workload, values: [cpu, memory, ...requests] };
  }

  return {
    range(namespace, from, to, stepMs) {
      const steps = Math.max(0, Math.ceil((to - from) / stepMs));
      const at = Array.from({ length: steps }, (_, step) => to - (steps - 1 - step) * stepMs);
      const [start = to] = at.map((end) => end - stepMs);
      const found = new Map<string, { workload: string; sums: (number[] | null)[]; counts: number[] }>();
      for (const { at: moment, pods } of samples) {
        if (moment <= start || moment > to) continue;
        const step = Math.ceil((moment - start) / stepMs) - 1;
        for (const { namespace: where, pod, workload, values } of pods) {
          if (where !== namespace) continue;
          const known = found.get(pod) ?? {
            workload,
            sums: Array.from({ length: steps }, () => null),
            counts: Array.from({ length: steps }, () => 0),
          };
          found.set(pod, known);
          known.sums[step] = values.map((value, index) => value + (known.sums[step]?.[index] ?? 0));
          known.counts[step] = (known.counts[step] ?? 0) + 1;
        }
      }
      const series = [...found].map(([pod, { workload, sums, counts }]) => ({
        pod,
        workload,
        values: sums.map((sum, step) => sum?.map((value) => value / (counts[step] ?? 1)) ?? null),
      }));
      return { names: measured, at, series: series.sort((a, b) => (a.pod < b.pod ? -1 : 1)) };
    },
    [Symbol.dispose]: loop.every(sampleMs, "metrics history", sample),
  };
}
