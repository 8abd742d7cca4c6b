import { setTimeout as delay } from "node:timers/promises";
import { type StreamSpec, streams } from "@microremed/contracts";
import { retryable } from "@microremed/core";
import { type Timers, wallTimers } from "../timers.ts";
import type { ConsumerSpec } from "../transport.ts";
import { overlap, takes } from "./filters.ts";
import { createMemoryConsumer, type MemoryConsumer } from "./memory-consumer.ts";
import { type Arrival, createMemoryStream, type MemoryStream } from "./memory-stream.ts";
import { createSwitchboard, type Switchboard } from "./switchboard.ts";

/** Time and size of a broker in memory. */
export interface MemoryBrokerOptions {
  /** Default: the wall clock's. */
  readonly timers?: Timers;
  /** Bytes of each stream at most. Default: as the streams in contracts say. */
  readonly mostBytes?: number;
}

/** What a NATS server is to its clients, in this process: the streams of contracts, shared by all buses over it. */
export interface MemoryBroker {
  readonly timers: Timers;
  readonly streams: ReadonlyMap<string, MemoryStream>;
  readonly switchboard: Switchboard;
  /** Throws when no stream takes the subject, or the one that does is full. */
  store(arrival: Arrival): void;
  /** Creates the consumer, or changes its deadline and bound. Throws when another one takes the same messages. */
  consumer(spec: ConsumerSpec): MemoryConsumer;
  consumersOf(stream: string): readonly MemoryConsumer[];
  /**
   * Returns when nothing is in a handler's hands, no request waits for its answer, and no message waits for a consumer
   * that runs. Messages without a consumer, and deliveries that are not due yet, are not waited for.
   * Throws `deadline-exceeded` that says what goes on; `timeoutMs` (default 30 s) is of the wall clock.
   */
  idle(options?: { timeoutMs?: number }): Promise<void>;
}

const idleWithinMs = 30_000;

/** A broker with the streams of contracts, all of them empty. */
export function createMemoryBroker(options: MemoryBrokerOptions = {}): MemoryBroker {
  const { timers = wallTimers, mostBytes = Number.POSITIVE_INFINITY } = options;
  const all = new Map<string, MemoryStream>(
    Object.values<StreamSpec>(streams).map((spec) => [
      spec.name,
      createMemoryStream(spec, timers, mostBytes),
    ]),
  );
  const consumers = new Map<string, MemoryConsumer>();
  const switchboard = createSwitchboard(timers);
  const consumersOf = (stream: string): MemoryConsumer[] =>
    [...consumers.values()].filter(({ spec }) => spec.stream === stream);
  const goingOn = (): string[] => [
    ...[...consumers.values()].filter(({ isBusy }) => isBusy).map(({ spec }) => spec.name),
    ...(switchboard.waiting > 0 ? [`${switchboard.waiting} requests`] : []),
  ];

  return {
    timers,
    streams: all,
    switchboard,
    consumersOf,
    store: (arrival) => {
      const stream = [...all.values()].find(({ spec }) =>
        spec.subjects.some((filter) => takes(filter, arrival.subject)),
      );
      if (!stream) throw new Error("no stream takes it");
      stream.append(arrival);
      if (switchboard.isWatched) switchboard.post(arrival.subject, arrival.data);
    },
    consumer: (spec) => {
      const key = `${spec.stream}/${spec.name}`;
      const known = consumers.get(key);
      if (known) {
        known.spec = spec;
        return known;
      }
      const stream = streamNamed(all, spec.stream);
      assertAlone(stream, consumersOf(spec.stream), spec.subject);
      const consumer = createMemoryConsumer(stream, spec, timers);
      consumers.set(key, consumer);
      return consumer;
    },
    idle: async ({ timeoutMs = idleWithinMs } = {}) => {
      const deadline = performance.now() + timeoutMs;
      // Twice in a row: what was settled just now may lead to something in the next turn.
      for (let quiet = 0; quiet < 2; ) {
        await new Promise((resolve) => setImmediate(resolve));
        const busy = goingOn();
        quiet = busy.length === 0 ? quiet + 1 : 0;
        if (busy.length === 0) continue;
        if (performance.now() > deadline)
          throw retryable(
            "deadline-exceeded",
            `the bus was not idle within ${timeoutMs} ms: ${busy.join(", ")}`,
          );
        await delay(1);
      }
    },
  };
}

/** Throws on a name that is no stream's. */
export function streamNamed(all: ReadonlyMap<string, MemoryStream>, name: string): MemoryStream {
  const stream = all.get(name);
  if (!stream) throw new Error(`stream not found: ${name}; there are ${[...all.keys()].join(", ")}`);
  return stream;
}

/** A consumer takes what its stream has, and what no other one of a work queue takes. */
function assertAlone(stream: MemoryStream, others: readonly MemoryConsumer[], subject: string): void {
  const { spec } = stream;
  if (!spec.subjects.some((filter) => overlap(filter, subject)))
    throw new Error(`consumer filter ${subject} is not a valid subset of the subjects of ${spec.name}`);
  const rival = others.find((other) => overlap(other.spec.subject, subject));
  if (spec.retention === "workqueue" && rival)
    throw new Error(`filtered consumer not unique on workqueue stream: ${rival.spec.name} takes them too`);
}
