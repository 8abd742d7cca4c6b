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
 * times. CPU and memory stay. A step without a request has no latency and no share of failures.
 */
export function withSamplingNoise(window: TelemetryWindow, rng: Rng): TelemetryWindow {
  return { ...window, pods: window.pods.map((pod) => sampled(pod, window.stepSeconds, rng.fork(pod.pod))) };
}

function sampled({ values, ...pod }: PodMetrics, stepSeconds: number, rng: Rng): PodMetrics {
  const requests: (number | null)[] = [];
  const errors: (number | null)[] = [];
  const latency: (number | null)[] = [];
  const p95: (number | null)[] = [];
  for (const [step, rate] of values.requests.entries()) {
    if (rate === null) {
      for (const series of [requests, errors, latency, p95]) series.push(null);
      continue;
    }
    const count = poisson(rate * stepSeconds, rng);
    const vary = (value: number | null | undefined, error: number): number | null =>
      value === null || value === undefined || count === 0
        ? null
        : digits(value * Math.max(0.05, 1 + (error / Math.sqrt(count)) * normal(rng)));
    requests.push(digits(count / stepSeconds));
    errors.push(count === 0 ? null : digits(binomial(count, values.errors[step] ?? 0, rng) / count));
    const mean = vary(values.latency[step], meanError);
    const slow = vary(values.latency_p95[step], p95Error);
    latency.push(mean);
    // Of some requests, the slow ones are no quicker than the mean.
    p95.push(slow === null ? null : Math.max(slow, mean ?? 0));
  }
  return { ...pod, values: { ...values, requests, errors, latency, latency_p95: p95 } };
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
