import type { LoadOrder, LoadPattern } from "@microremed/contracts";
import { createRng } from "@microremed/core";

/** Label of the ConfigMap that has an order in `data.load`, as JSON. */
export const orderedLabel = "microremed.io/load";
/** Annotation of the ConfigMap: the order that the generators have taken, as it was written. Absent: none. */
export const followedAnnotation = "microremed.io/load-followed";

/** Times the environment's own rate at a moment of cluster time, ms. */
export type LoadCurve = (now: number) => number;

/** Samples of a mean at most: one a second for an hour and more, fewer of a longer time. */
const mostSamples = 5000;

/** The course of an order: a pure function of the order and the time. Before `at`, and outside of bursts, it is 1. */
export function loadCurve({ pattern, seed, origin, until }: LoadOrder): LoadCurve {
  const curve = curveOf(pattern, seed);
  return (now) => (until !== undefined && now >= until ? 1 : curve((now - origin) / 1000));
}

function curveOf(pattern: LoadPattern, seed: string): (seconds: number) => number {
  if (pattern.shape === "replay") return replayOf(pattern);
  const { factor } = pattern;
  switch (pattern.shape) {
    case "constant":
      return () => factor;
    case "step":
      return (seconds) => (seconds < pattern.at ? 1 : factor);
    case "ramp":
      return (seconds) => {
        const done = Math.min(1, Math.max(0, (seconds - pattern.at) / pattern.seconds));
        return 1 + (factor - 1) * done;
      };
    case "diurnal": {
      const phase = createRng(seed, "day").float();
      return (seconds) => {
        const turn = 2 * Math.PI * (seconds / pattern.periodSeconds + phase);
        return 1 + ((factor - 1) * (1 - Math.cos(turn))) / 2;
      };
    }
    case "bursts":
      return burstsOf(pattern, seed);
  }
}

function replayOf({ factors, secondsEach }: Extract<LoadPattern, { shape: "replay" }>) {
  const length = factors.length * secondsEach;
  return (seconds: number): number => {
    const since = ((seconds % length) + length) % length;
    return factors[Math.floor(since / secondsEach)] ?? 1;
  };
}

/** In every round one burst, which begins at a moment drawn from the seed and ends within the round. */
function burstsOf(
  { factor, periodSeconds, share }: Extract<LoadPattern, { shape: "bursts" }>,
  seed: string,
): (seconds: number) => number {
  const length = share * periodSeconds;
  let last = { round: Number.NaN, start: 0 };
  return (seconds) => {
    const round = Math.floor(seconds / periodSeconds);
    if (round !== last.round) {
      const start = createRng(seed, `burst ${round}`).float() * (periodSeconds - length);
      last = { round, start };
    }
    const since = seconds - round * periodSeconds - last.start;
    return since >= 0 && since < length ? factor : 1;
  };
}

/** The mean of several courses multiplied, between two moments of cluster time, ms; without any it is 1. */
export function meanLoad(orders: readonly LoadOrder[], from: number, to: number): number {
  if (orders.length === 0) return 1;
  const curves = orders.map(loadCurve);
  const factorAt = (now: number): number => curves.reduce((product, curve) => product * curve(now), 1);
  const samples = Math.max(1, Math.min(mostSamples, Math.round((to - from) / 1000)));
  const step = (to - from) / samples;
  let sum = 0;
  for (let i = 0; i < samples; i++) sum += factorAt(from + (i + 0.5) * step);
  return sum / samples;
}

/** The highest that a pattern asks for, times the environment's own rate. */
export const peakOf = (pattern: LoadPattern): number =>
  pattern.shape === "replay" ? Math.max(...pattern.factors) || 1 : Math.max(1, pattern.factor);

/** The load of a pattern at its highest, for as long as it is followed. */
export function atPeak(pattern: LoadPattern): Extract<LoadPattern, { shape: "constant" }> {
  const factor = pattern.shape === "constant" ? pattern.factor : peakOf(pattern);
  return { shape: "constant", factor, ...(pattern.load !== undefined && { load: pattern.load }) };
}

/** In a few words, such as `bursts of 3 times the rate, one in 120 s`. */
export function loadText(pattern: LoadPattern): string {
  const { load } = pattern;
  return load === undefined ? courseText(pattern) : `the load ${load}: ${courseText(pattern)}`;
}

function courseText(pattern: LoadPattern): string {
  if (pattern.shape === "replay")
    return `a replay of ${pattern.factors.length * pattern.secondsEach} s with up to ${peakOf(pattern)} times the rate`;
  const times = `${pattern.factor} times the rate`;
  switch (pattern.shape) {
    case "constant":
      return times;
    case "bursts":
      return `bursts of ${times} in ${Math.round(100 * pattern.share)} % of the time, one in ${pattern.periodSeconds} s`;
    case "ramp":
      return `a ramp to ${times} in ${pattern.seconds} s, ${momentText(pattern.at)}`;
    case "step":
      return `a step to ${times}, ${momentText(pattern.at)}`;
    case "diurnal":
      return `days of ${pattern.periodSeconds} s with up to ${times}`;
  }
}

const momentText = (at: number): string => (at < 0 ? `${-at} s before the fault` : `${at} s after the fault`);
