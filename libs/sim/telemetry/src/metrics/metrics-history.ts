import { workloadInName } from "@microremed/kube-rules";
import type { Machine, PodSandbox } from "@microremed/sim-machine";
import type { Latency } from "@microremed/sim-physics";
import type { EventLoop } from "@microremed/sim-time";
import { createStepSums, type Measured, type StepSums, type StepValues, valueNames } from "./step-values.ts";

/** What physics reports of a pod's requests; its own type satisfies this. */
interface ServedRequests {
  readonly pod: string;
  readonly workload: string;
  readonly requestsPerSecond: number;
  /** 0..1 */
  readonly successRatio: number;
  readonly latency: Latency;
}

interface PodSample {
  readonly namespace: string;
  readonly pod: string;
  readonly workload: string;
  readonly measured: Measured;
}

interface Sample {
  /** Cluster time, ms. */
  readonly at: number;
  readonly pods: readonly PodSample[];
}

/** How often pods are measured unless it is said, ms, and how much of it is kept: an hour. */
const usualSampleMs = 5_000;
const keptMs = 3_600_000;
const none: Latency = { fixed: 0, mean: 0 };

/** Whether each pod has a series, or the pods of each workload have one together. */
export type SeriesOf = "pod" | "workload";

/** One value of each kind a step; null: there was no such pod in it. */
export interface PodSeries {
  /** Of the series of one pod. */
  readonly pod?: string;
  readonly workload: string;
  readonly values: readonly (StepValues | null)[];
}

/** A stretch of the history of a namespace. */
export interface SeriesRange {
  /** What the numbers of a step are, in order. */
  readonly names: readonly string[];
  /** Cluster time, ms: the end of each step. */
  readonly at: readonly number[];
  readonly series: readonly PodSeries[];
}

/** A range and its steps: cluster time, ms. */
export interface Steps {
  readonly from: number;
  readonly to: number;
  readonly stepMs: number;
}

/** What a Prometheus beside the cluster would have stored of its pods. Disposing it stops measuring. */
export interface MetricsHistory extends Disposable {
  range(namespace: string, steps: Steps, of?: SeriesOf): SeriesRange;
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
    const { requestsPerSecond = 0, successRatio = 1, latency = none } = served ?? {};
    const { namespace, name: pod } = sandbox;
    const workload = served?.workload ?? workloadInName(pod);
    const requests = [requestsPerSecond, 1 - successRatio, latency.fixed, latency.mean] as const;
    return { namespace, pod, workload, measured: [cpu, memory, ...requests] };
  }

  return {
    range(namespace, { from, to, stepMs }, of = "pod") {
      const count = Math.max(0, Math.ceil((to - from) / stepMs));
      const start = to - count * stepMs;
      const at = Array.from({ length: count }, (_, step) => start + (step + 1) * stepMs);
      const byStep = at.map((): Sample[] => []);
      for (const sample of samples) byStep[Math.ceil((sample.at - start) / stepMs) - 1]?.push(sample);
      const sums = byStep.map((taken) => sumsOf(taken, namespace, of));
      const names = [...new Set(sums.flatMap((found) => [...found.keys()]))].sort();
      return { names: valueNames, at, series: names.map((name) => seriesOf(name, sums, byStep)) };
    },
    [Symbol.dispose]: loop.every(sampleMs, "metrics history", sample),
  };
}

interface Summed {
  readonly key: Pick<PodSeries, "pod" | "workload">;
  readonly sums: StepSums;
}

/** What the moments of a step come to, by the name of the pod or workload. */
function sumsOf(taken: readonly Sample[], namespace: string, of: SeriesOf): ReadonlyMap<string, Summed> {
  const found = new Map<string, Summed>();
  for (const { at, pods } of taken) {
    for (const { namespace: where, pod, workload, measured } of pods) {
      if (where !== namespace) continue;
      const key = of === "pod" ? { pod, workload } : { workload };
      const name = key.pod ?? workload;
      const known = found.get(name) ?? { key, sums: createStepSums() };
      found.set(name, known);
      known.sums.add(measured, at);
    }
  }
  return found;
}

function seriesOf(
  name: string,
  sums: readonly ReadonlyMap<string, Summed>[],
  byStep: readonly (readonly Sample[])[],
): PodSeries {
  const own = sums.map((found) => found.get(name));
  const key = own.find((one) => one !== undefined)?.key ?? { workload: name };
  const values = own.map((one, step) => one?.sums.values(byStep[step]?.length ?? 1) ?? null);
  return { ...key, values };
}
