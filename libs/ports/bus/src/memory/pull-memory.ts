import { AsyncLocalStorage } from "node:async_hooks";
import type { Delivery, PullOptions } from "../transport.ts";
import type { Handed, MemoryConsumer } from "./memory-consumer.ts";

/**
 * Hands over a consumer's messages as slots become free, until `stopping` is aborted. A puller that took one goes to the end of the
 * line, so that subjects that share slots, and replicas that share a consumer, take turns.
 */
export async function pullMemory(
  consumer: MemoryConsumer,
  { slots, stopping, handle }: PullOptions,
  isConnected: () => boolean,
): Promise<void> {
  if (stopping.aborted) return;
  // Otherwise a handler would run in the publisher's context.
  const inOwnContext = AsyncLocalStorage.snapshot();
  const run = async (handed: Handed): Promise<void> => {
    await handle(deliveryOf(consumer, handed, isConnected));
    slots.give();
  };
  const pump = (): void => {
    while (slots.free > 0) {
      const handed = consumer.take();
      if (!handed) return;
      void slots.take();
      inOwnContext(() => void run(handed));
      stopListening();
      listen();
    }
  };
  let stopListening = (): void => {};
  const listen = (): void => {
    const stops = [consumer.onReady(pump), slots.onFree(pump)];
    stopListening = () => {
      for (const stop of stops) stop();
    };
  };
  listen();
  await new Promise((resolve) => stopping.addEventListener("abort", resolve, { once: true }));
  stopListening();
}

/** What a connection that is closed says of a delivery does not arrive any more. */
function deliveryOf(
  consumer: MemoryConsumer,
  { message, count }: Handed,
  isConnected: () => boolean,
): Delivery {
  const { subject, headers, data, seq, storedAtMs } = message;
  const unlessClosed = (settle: () => void): void => {
    if (isConnected()) settle();
  };
  return {
    subject,
    headers,
    data,
    stream: consumer.spec.stream,
    seq,
    storedAt: String(BigInt(Math.round(storedAtMs * 1e3)) * 1_000n),
    count,
    ack: async () => unlessClosed(() => consumer.ack(seq)),
    nak: (delayMs) => unlessClosed(() => consumer.nak(seq, delayMs)),
    working: () => unlessClosed(() => consumer.working(seq)),
    term: () => unlessClosed(() => consumer.ack(seq)),
  };
}
