import { randomUUID } from "node:crypto";
import { retryable } from "@microremed/core";
import type { Queue } from "../queue.ts";
import type { Subscription, Transport } from "../transport.ts";
import { takes } from "./filters.ts";
import { type MemoryBroker, streamNamed } from "./memory-broker.ts";
import { pullMemory } from "./pull-memory.ts";
import { readMemory } from "./read-memory.ts";
import { lowerCased } from "./switchboard.ts";

/** As the servers that this product starts are configured, bytes. */
const maxBytes = 2 ** 20;
const encoder = new TextEncoder();

/** One client's connection to a broker in this process. */
export function createMemoryTransport(broker: MemoryBroker): Transport {
  const closed = new AbortController();
  const subscriptions = new Set<Subscription>();
  const isConnected = (): boolean => !closed.signal.aborted;
  const assertConnected = (): void => {
    if (!isConnected()) throw retryable("bus-unreachable", "the connection to the bus is closed");
  };
  const stream = (name: string) => {
    assertConnected();
    return streamNamed(broker.streams, name);
  };

  return {
    get connected() {
      return isConnected();
    },
    maxBytes,
    timers: broker.timers,
    whenConnected: async () => assertConnected(),
    ensureStreams: async () => assertConnected(),
    store: async ({ subject, text, headers, msgId }) => {
      assertConnected();
      broker.store({ subject, data: encoder.encode(text), headers: lowerCased(headers), msgId });
    },
    ensureConsumer: async (spec) => {
      assertConnected();
      broker.consumer(spec);
    },
    pull: (spec, options) => {
      const stopping = AbortSignal.any([options.stopping, closed.signal]);
      return pullMemory(broker.consumer(spec), { ...options, stopping }, isConnected);
    },
    read: (name, filter, { signal, follow }) =>
      readMemory(stream(name), filter, { signal: AbortSignal.any([signal, closed.signal]), follow }),
    get: async (name, seq) => stream(name).get(seq),
    delete: async (name, seq) => stream(name).remove(seq),
    waitingSubjects: async (name, filter) => {
      const subjects = new Set([...stream(name).all()].map(({ subject }) => subject));
      return [...subjects].filter((subject) => takes(filter, subject));
    },
    queues: async () => {
      assertConnected();
      return queuesOf(broker);
    },
    post: (subject, text) => {
      assertConnected();
      broker.switchboard.post(subject, encoder.encode(text));
    },
    request: async (subject, text, { headers, timeoutMs }) => {
      assertConnected();
      const data = encoder.encode(text);
      return broker.switchboard.request(subject, data, { headers: lowerCased(headers), timeoutMs });
    },
    subscribe: (subject, queue, onMessage) => {
      assertConnected();
      const subscription = broker.switchboard.subscribe(subject, queue, onMessage);
      subscriptions.add(subscription);
      void subscription.ended.then(() => subscriptions.delete(subscription));
      return subscription;
    },
    createInbox: () => `_INBOX.${randomUUID()}`,
    close: async () => {
      closed.abort();
      for (const subscription of [...subscriptions]) subscription.unsubscribe();
    },
  };
}

function queuesOf(broker: MemoryBroker): Queue[] {
  return [...broker.streams.values()].map(({ spec, messages, bytes, limitBytes }) => ({
    stream: spec.name,
    messages,
    bytes,
    limitBytes,
    consumers: broker
      .consumersOf(spec.name)
      .filter(() => spec.retention === "workqueue")
      .map(({ spec: { name, subject }, waiting, deliveries, unacknowledged }) => ({
        name,
        subject,
        waiting,
        deliveries,
        unacknowledged,
      })),
  }));
}
