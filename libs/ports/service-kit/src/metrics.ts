import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

/** A metric by Prometheus' conventions: base units, `_total` on what only grows, labels of few values. */
export interface MetricSpec<L extends string> {
  readonly name: string;
  readonly help: string;
  readonly labels: readonly L[];
}

/** The value of a gauge at this moment. */
export interface Reading {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** What every service counts, and means to count more. */
export interface Metrics {
  readonly registry: Registry;
  started(op: string): void;
  ended(op: string, outcome: "ok" | "error", seconds: number, delivery: number): void;
  /** Returns what adds to it: one, unless said otherwise. */
  counter<L extends string>(spec: MetricSpec<L>): (labels: Readonly<Record<L, string>>, by?: number) => void;
  /** Returns what adds an observation. */
  histogram<L extends string>(
    spec: MetricSpec<L> & { readonly buckets: readonly number[] },
  ): (labels: Readonly<Record<L, string>>, value: number) => void;
  /**
   * Gauges that are read together whenever metrics are scraped, at most every few seconds. What cannot be read
   * within a few seconds is absent: an old value could be taken for a current one.
   */
  gauges(specs: readonly MetricSpec<string>[], read: () => Promise<readonly Reading[]>): void;
}

const buckets = [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10, 30, 120, 600];
/** Several scrapers, or many schedulers, do not ask NATS and Redis more often, ms. */
const readEveryMs = 2_000;
const readWithinMs = 3_000;

/**
 * The metrics of one service, labelled with its name: messages handled, redelivered and their duration, and those of
 * Node.
 */
export function createMetrics(service: string): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const handled = new Counter({
    name: "microremed_messages_handled_total",
    help: "Messages handled, by operation and outcome",
    labelNames: ["op", "outcome"],
    registers,
  });
  const redelivered = new Counter({
    name: "microremed_messages_redelivered_total",
    help: "Messages handled that had been delivered before",
    labelNames: ["op"],
    registers,
  });
  const duration = new Histogram({
    name: "microremed_message_duration_seconds",
    help: "How long handling a message took",
    labelNames: ["op"],
    buckets,
    registers,
  });
  const inFlight = new Gauge({
    name: "microremed_messages_in_flight",
    help: "Messages being handled",
    labelNames: ["op"],
    registers,
  });
  return {
    registry,
    started: (op) => inFlight.inc({ op }),
    ended: (op, outcome, seconds, delivery) => {
      inFlight.dec({ op });
      handled.inc({ op, outcome });
      duration.observe({ op }, seconds);
      if (delivery > 1) redelivered.inc({ op });
    },
    counter: ({ name, help, labels }) => {
      const counter = new Counter({ name, help, labelNames: labels, registers });
      return (values, by = 1) => counter.inc(values, by);
    },
    histogram: ({ name, help, labels, buckets }) => {
      const histogram = new Histogram({ name, help, labelNames: labels, buckets: [...buckets], registers });
      return (values, value) => histogram.observe(values, value);
    },
    gauges: (specs, read) => {
      const readings = remembered(read);
      for (const { name, help, labels } of specs) {
        const gauge = new Gauge({
          name,
          help,
          labelNames: labels,
          registers,
          collect: async () => {
            const found = await readings();
            gauge.reset();
            for (const reading of found) if (reading.name === name) gauge.set(reading.labels, reading.value);
            if (labels.length === 0 && !found.some((reading) => reading.name === name)) gauge.remove();
          },
        });
      }
    },
  };
}

/** One reading for all who ask within a moment; none when it fails or takes too long. */
function remembered(read: () => Promise<readonly Reading[]>): () => Promise<readonly Reading[]> {
  let last: Promise<readonly Reading[]> = Promise.resolve([]);
  let freshUntil = 0;
  return () => {
    if (performance.now() >= freshUntil) {
      freshUntil = performance.now() + readEveryMs;
      last = inTime(read());
    }
    return last;
  };
}

async function inTime(reading: Promise<readonly Reading[]>): Promise<readonly Reading[]> {
  const { promise: late, resolve } = Promise.withResolvers<readonly Reading[]>();
  const timer = setTimeout(() => resolve([]), readWithinMs);
  try {
    return await Promise.race([reading, late]);
  } catch {
    return [];
  } finally {
    clearTimeout(timer);
  }
}
