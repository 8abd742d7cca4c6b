import { exceeds, type Latency } from "@microremed/sim-physics";
import type { EventLoop } from "@microremed/sim-time";

/** Upper bounds of the buckets that OpenTelemetry's conventions advise for request durations, s. */
const durationBounds = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];

/** What one second of requests was like. */
export interface Flow {
  /** Requests per second. */
  readonly rate: number;
  /** 0..1 */
  readonly success: number;
  readonly latency: Latency;
}

/** The flow that has been going on for `seconds` and is not yet counted. */
interface Uncounted {
  flow: Flow | undefined;
  seconds: number;
}

/** Requests of one outcome so far; none of the numbers ever falls, as a scraper takes that for a restart. */
interface Counted {
  count: number;
  sum: number;
  /** Per bound, those that took no longer. */
  readonly upTo: number[];
}

export interface DurationHistogram {
  readonly buckets: readonly (readonly [number, number])[];
  readonly count: number;
  /** s */
  readonly sum: number;
}

/** Adds flows of requests up to counters and histograms of durations, as a program's instrumentation would. */
export interface RequestCounter {
  add(flow: Flow, seconds: number): void;
  /** The last flow has gone on. */
  goOn(seconds: number): void;
  /** Whole requests so far, of either outcome. */
  total(): number;
  /** Whole requests so far with their durations, by outcome. */
  durations(): { readonly succeeded: DurationHistogram; readonly failed: DurationHistogram };
}

const alike = (a: Flow, b: Flow): boolean =>
  a.rate === b.rate &&
  a.success === b.success &&
  a.latency.fixed === b.latency.fixed &&
  a.latency.mean === b.latency.mean;

/** A steady flow costs one comparison a tick; the exponentials are computed when it changes or is read. */
export function createRequestCounter({ keep }: Pick<EventLoop, "keep">): RequestCounter {
  const uncounted = keep<Uncounted>({ flow: undefined, seconds: 0 });
  const nothing = (): Counted => ({ count: 0, sum: 0, upTo: keep(durationBounds.map(() => 0)) });
  const succeeded = keep(nothing());
  const failed = keep(nothing());

  function settle(): void {
    const { flow, seconds } = uncounted;
    if (!flow || seconds === 0) return;
    const requests = flow.rate * seconds;
    uncounted.seconds = 0;
    const within = durationBounds.map((bound) => 1 - exceeds(flow.latency, 1000 * bound));
    count(succeeded, requests * flow.success, flow.latency, within);
    count(failed, requests * (1 - flow.success), flow.latency, within);
  }

  return {
    add(flow, seconds) {
      if (!uncounted.flow || !alike(uncounted.flow, flow)) {
        settle();
        const { rate, success, latency } = flow;
        uncounted.flow = { rate, success, latency };
      }
      uncounted.seconds += seconds;
    },
    goOn(seconds) {
      uncounted.seconds += seconds;
    },
    total() {
      settle();
      return Math.floor(succeeded.count) + Math.floor(failed.count);
    },
    durations() {
      settle();
      return { succeeded: histogramOf(succeeded), failed: histogramOf(failed) };
    },
  };
}

function count(counted: Counted, requests: number, { mean }: Latency, within: readonly number[]): void {
  if (requests === 0) return;
  counted.count += requests;
  counted.sum += (requests * mean) / 1000;
  for (const [index, share] of within.entries())
    counted.upTo[index] = (counted.upTo[index] ?? 0) + requests * share;
}

function histogramOf({ count, sum, upTo }: Counted): DurationHistogram {
  return {
    buckets: durationBounds.map((bound, index) => [bound, Math.floor(upTo[index] ?? 0)]),
    count: Math.floor(count),
    sum,
  };
}
