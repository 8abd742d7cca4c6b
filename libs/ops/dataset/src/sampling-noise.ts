import type { SeriesName } from "@microremed/contracts";
import type { Rng } from "@microremed/core";
import type { PodMetrics, TelemetryWindow } from "@microremed/telemetry";

/**
 * The relative standard error of the mean, and of the 95th percentile, of n exponential times is one of these, divided by
 * the root of n. A percentile's is sqrt(p (1 - p)) / ((1 - p) ln(1 / (1 - p))).
 */
const meanError = 1;
const p95Error = Math.sqrt(0.95 * 0.05) / (0.05 * Math.log(20));

/**
 * What a step with finitely many requests would have measured: the embedded cluster computes expectations. Requests are
 * counted as a Poisson process, failures as a binomial draw of them, and latencies have the error of so many exponential
 * times. CPU and memory stay. A step without a request has no latency and no share of failures. What a workload measures is
 * what its pods did.
 */
export function withSamplingNoise(window: TelemetryWindow, rng: Rng): TelemetryWindow {
  const { stepSeconds } = window;
  const pods = window.pods.map(({ values, ...pod }) => {
    const draws = rng.fork(pod.pod);
    return { ...pod, values: inSteps(values, (exact) => drawn(exact, stepSeconds, draws)) };
  });
  const workloads = window.workloads?.map(({ workload, values }) => {
    const own = pods.filter((pod) => pod.workload === workload).map((pod) => pod.values);
    const draws = rng.fork(`workload ${workload}`);
    const together = (exact: Values, step: number): Values =>
      joined(
        exact,
        own.map((pod) => valuesAt(pod, step)),
        { stepSeconds, rng: draws },
      );
    return { workload, values: inSteps(values, together) };
  });
  return { ...window, pods, ...(workloads && { workloads }) };
}

type Series = PodMetrics["values"];
type Values = { readonly [K in SeriesName]: number | null };

const names = ["cpu", "memory", "requests", "errors", "latency", "latency_p95"] as const;

const valuesAt = (series: Series, step: number): Values =>
  Object.fromEntries(names.map((name) => [name, series[name][step] ?? null])) as Values;

function inSteps(series: Series, of: (exact: Values, step: number) => Values): Series {
  const steps = series.requests.map((_, step) => of(valuesAt(series, step), step));
  return Object.fromEntries(names.map((name) => [name, steps.map((values) => values[name])])) as Series;
}

/** One pod in one step. */
function drawn(exact: Values, stepSeconds: number, rng: Rng): Values {
  if (exact.requests === null) return { ...exact, ...nothing };
  const count = poisson(exact.requests * stepSeconds, rng);
  if (count === 0) return { ...exact, ...nothing, requests: 0 };
  const latency = varied(exact.latency, meanError, count, rng);
  return {
    ...exact,
    requests: digits(count / stepSeconds),
    errors: digits(binomial(count, exact.errors ?? 0, rng) / count),
    latency,
    latency_p95: slowest(varied(exact.latency_p95, p95Error, count, rng), latency),
  };
}

/** The pods of a workload in one step. */
function joined(
  exact: Values,
  pods: readonly Values[],
  { stepSeconds, rng }: { readonly stepSeconds: number; readonly rng: Rng },
): Values {
  if (exact.requests === null) return { ...exact, ...nothing };
  const requests = pods.reduce((sum, pod) => sum + (pod.requests ?? 0), 0);
  if (requests === 0) return { ...exact, ...nothing, requests: 0 };
  const weighted = (of: "errors" | "latency"): number =>
    digits(pods.reduce((sum, pod) => sum + (pod[of] ?? 0) * (pod.requests ?? 0), 0) / requests);
  const latency = weighted("latency");
  const p95 = varied(exact.latency_p95, p95Error, Math.round(requests * stepSeconds), rng);
  return {
    ...exact,
    requests: digits(requests),
    errors: weighted("errors"),
    latency,
    latency_p95: slowest(p95, latency),
  };
}

const nothing = { requests: null, errors: null, latency: null, latency_p95: null } as const;

/** Of some requests, the slow ones are no quicker than the mean. */
const slowest = (p95: number | null, mean: number | null): number | null =>
  p95 === null ? null : Math.max(p95, mean ?? 0);

function varied(value: number | null, error: number, count: number, rng: Rng): number | null {
  return value === null ? null : digits(value * Math.max(0.05, 1 + (error / Math.sqrt(count)) * normal(rng)));
}

const digits = (value: number): number => Number(value.toPrecision(6));

/** Box and Muller. */
function normal(rng: Rng): number {
  return Math.sqrt(-2 * Math.log(rng.float())) * Math.cos(2 * Math.PI * rng.float());
}

/** Above this the normal distribution is as good, and its draws are quick. */
const large = 50;

function poisson(mean: number, rng: Rng): number {
  if (mean > large) return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal(rng)));
  const limit = Math.exp(-mean);
  let count = 0;
  for (let product = rng.float(); product > limit; product *= rng.float()) count++;
  return count;
}

function binomial(of: number, chance: number, rng: Rng): number {
  if (chance <= 0) return 0;
  if (chance >= 1) return of;
  if (of > 1000) {
    const drawn = Math.round(of * chance + Math.sqrt(of * chance * (1 - chance)) * normal(rng));
    return Math.min(of, Math.max(0, drawn));
  }
  let count = 0;
  for (let trial = 0; trial < of; trial++) if (rng.float() < chance) count++;
  return count;
}
