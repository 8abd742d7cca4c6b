import type { EventLoop } from "../event-loop.types.ts";
import { exceeds, type Latency } from "../physics/latency.ts";

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

interface Totals {
  /** The flow that has been going on for `seconds` and is not yet counted. */
  flow: Flow | undefined;
  seconds: number;
  succeeded: number;
  failed: number;
  sumSeconds: number;
}

export interface DurationHistogram {
  readonly buckets: readonly (readonly [number, number])[];
  readonly count: number;
  readonly sum: number;
}

/** Adds flows of requests up to counters and a histogram of durations, as a program's instrumentation would. */
export interface RequestCounter {
  add(flow: Flow, seconds: number): void;
  /** Whole requests so far, by outcome. */
  totals(): { readonly succeeded: number; readonly failed: number };
  /** Durations of a share of the requests so far. */
  durations(share: number): DurationHistogram;
}

const alike = (a: Flow, b: Flow): boolean =>
  a.rate === b.rate &&
  a.success === b.success &&
  a.latency.fixed === b.latency.fixed &&
  a.latency.mean === b.latency.mean;

/** A steady flow costs one comparison a tick; the exponentials are computed when it changes or somebody reads. */
export function createRequestCounter({ keep }: Pick<EventLoop, "keep">): RequestCounter {
  const state = keep<Totals>({ flow: undefined, seconds: 0, succeeded: 0, failed: 0, sumSeconds: 0 });
  const upTo = keep(durationBounds.map(() => 0));

  function settle(): void {
    const { flow, seconds } = state;
    if (!flow || seconds === 0) return;
    const requests = flow.rate * seconds;
    state.seconds = 0;
    state.succeeded += requests * flow.success;
    state.failed += requests * (1 - flow.success);
    state.sumSeconds += (requests * flow.latency.mean) / 1000;
    for (const [index, bound] of durationBounds.entries())
      upTo[index] = (upTo[index] ?? 0) + requests * (1 - exceeds(flow.latency, 1000 * bound));
  }

  return {
    add(flow, seconds) {
      if (!state.flow || !alike(state.flow, flow)) {
        settle();
        const { rate, success, latency } = flow;
        state.flow = { rate, success, latency };
      }
      state.seconds += seconds;
    },
    totals() {
      settle();
      return { succeeded: Math.floor(state.succeeded), failed: Math.floor(state.failed) };
    },
    durations(share) {
      settle();
      return {
        buckets: durationBounds.map((bound, index) => [bound, Math.floor(share * (upTo[index] ?? 0))]),
        count: Math.floor(share * (state.succeeded + state.failed)),
        sum: share * state.sumSeconds,
      };
    },
  };
}
