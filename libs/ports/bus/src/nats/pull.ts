import { createInbox, type Msg, nanos } from "@nats-io/nats-core";
import type { ConsumerSpec, PullOptions } from "../transport.ts";
import { deliveryOf } from "./delivery.ts";
import type { Link } from "./link.ts";

/** How long the server keeps a request for messages, ms. */
const requestMs = 10_000;
/** Messages are asked for again when this share of the slots is free, so that a busy consumer asks seldom. */
const enoughShare = 4;
/** NATS' status at the end of a pull that has expired. */
const requestTimeout = 408;

/**
 * Asks for as many messages as there are free slots, again and again as slots become free, over one inbox. Returns when
 * `stopping` is aborted, having handed over what was under way. Throws when the server refuses, falls silent or is lost.
 */
export async function pullMessages(
  link: Link,
  { stream, name }: ConsumerSpec,
  { slots, most, stopping, handle }: PullOptions,
): Promise<void> {
  const { connection } = link;
  const inbox = createInbox(link.inboxPrefix);
  const subject = `$JS.API.CONSUMER.MSG.NEXT.${stream}.${name}`;
  const enough = Math.ceil(most / enoughShare);
  const end = Promise.withResolvers<void>();
  let asked = 0;
  let heardAt = performance.now();

  const ask = (): void => {
    const missing = Math.min(most, slots.free) - asked;
    if (missing < (asked === 0 ? 1 : enough) || stopping.aborted || !link.connected) return;
    asked += missing;
    const request = JSON.stringify({ batch: missing, expires: nanos(requestMs) });
    connection.publish(subject, request, { reply: inbox });
  };
  const take = async (message: Msg): Promise<void> => {
    await slots.take();
    await handle(deliveryOf(link, message));
    slots.give();
  };
  const receive = (error: Error | null, message: Msg): void => {
    heardAt = performance.now();
    if (error) end.reject(error);
    else if (message.subject !== inbox) {
      asked = Math.max(0, asked - 1);
      void take(message);
    } else if (message.headers?.code === requestTimeout) {
      asked = Math.max(0, asked - Number(message.headers.get("Nats-Pending-Messages") || asked));
    } else {
      end.reject(new Error(message.headers?.description || `status ${message.headers?.code}`));
    }
    ask();
  };

  const subscription = connection.subscribe(inbox, { callback: receive });
  const stopListening = slots.onFree(ask);
  const watch = setInterval(() => {
    if (asked > 0 && performance.now() - heardAt > 2 * requestMs)
      end.reject(new Error("the server is silent"));
  }, requestMs);
  const stop = (): void => end.resolve();
  stopping.addEventListener("abort", stop, { once: true });
  if (stopping.aborted) stop();
  try {
    ask();
    await link.whileConnected(end.promise);
    await link.whileConnected(subscription.drain());
  } finally {
    clearInterval(watch);
    stopping.removeEventListener("abort", stop);
    stopListening();
    if (!subscription.isClosed()) subscription.unsubscribe();
  }
}
