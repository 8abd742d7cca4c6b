import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

/** What every service counts, and the registry for what one counts besides. */
export interface Metrics {
  readonly registry: Registry;
  started(op: string): void;
  ended(op: string, outcome: "ok" | "error", seconds: number): void;
}

const buckets = [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10, 30, 120, 600];

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
    ended: (op, outcome, seconds) => {
      inFlight.dec({ op });
      handled.inc({ op, outcome });
      duration.observe({ op }, seconds);
    },
  };
}
