import { setTimeout as delay } from "node:timers/promises";
import {
  AckPolicy,
  type Consumer,
  DeliverPolicy,
  type JetStreamClient,
  type JetStreamManager,
  type JsMsg,
} from "@nats-io/jetstream";
import { nanos } from "@nats-io/nats-core";
import type { ConsumeOptions, Consumption, Handler } from "./bus.ts";
import { decode } from "./codec.ts";
import { type DeliveryDeps, handleDelivery } from "./handle-delivery.ts";
import { persist, unreachable } from "./link.ts";
import { createPatience } from "./patience.ts";
import { createSlots, type Slots } from "./slots.ts";

/** How long one pull waits at the server for a message. */
const pullMs = 10_000;
const defaultAckWaitMs = 15_000;

type ConsumerNames = Pick<ConsumeOptions<unknown>, "stream" | "durable" | "ackWaitMs">;

export interface ConsumeDeps extends Omit<DeliveryDeps, "signal" | "ackWaitMs" | "service"> {
  readonly jetstream: JetStreamClient;
  readonly manager: JetStreamManager;
  readonly hurry: AbortSignal | undefined;
}

/**
 * Pulls no more messages than there are free slots, so that what this process cannot start is left to its replicas.
 * A server of version 2.9 allows one filter per consumer, so every subject has its own.
 */
export async function consume<T>(
  deps: ConsumeDeps,
  options: ConsumeOptions<T>,
  handler: Handler<T>,
): Promise<Consumption> {
  const stopping = new AbortController();
  const patience = createPatience(deps.hurry);
  const slots = createSlots(options.concurrency);
  const delivery: DeliveryDeps = {
    ...deps,
    service: options.durable,
    signal: patience.signal,
    ackWaitMs: options.ackWaitMs ?? defaultAckWaitMs,
  };
  const read = (message: JsMsg): T => decode(options.schema, message.subject, message.data, options.format);
  const handle = (message: JsMsg): Promise<void> => handleDelivery(delivery, message, read, handler);

  for (const subject of options.subjects) await ensureConsumer(deps.manager, options, subject);
  const pullers = options.subjects.map((subject) =>
    pull(deps, options, subject, slots, stopping.signal, handle),
  );
  return {
    get inFlight() {
      return slots.taken;
    },
    [Symbol.asyncDispose]: async () => {
      stopping.abort();
      await patience.whileEnding(Promise.all(pullers).then(() => slots.whenIdle()));
    },
  };
}

async function ensureConsumer(
  manager: JetStreamManager,
  options: ConsumerNames,
  subject: string,
): Promise<void> {
  try {
    await manager.consumers.add(options.stream, {
      durable_name: durableName(options.durable, subject),
      filter_subject: subject,
      ack_policy: AckPolicy.Explicit,
      ack_wait: nanos(options.ackWaitMs ?? defaultAckWaitMs),
      deliver_policy: DeliverPolicy.All,
      // Counted by this package instead, which buries the message; the server would silently leave it lying.
      max_deliver: -1,
      max_ack_pending: 10_000,
    });
  } catch (error) {
    throw unreachable(`creating a consumer of ${subject}`, error);
  }
}

function durableName(durable: string, subject: string): string {
  return `${durable}-${subject.replace("microremed.", "").replaceAll(".", "_").replaceAll("*", "any").replaceAll(">", "all")}`;
}

/** Keeps one pull open for a subject while a slot is free. */
async function pull(
  deps: ConsumeDeps,
  options: ConsumeOptions<unknown>,
  subject: string,
  slots: Slots,
  stopping: AbortSignal,
  handle: (message: JsMsg) => Promise<void>,
): Promise<void> {
  const stop = rejectedBy(stopping);
  const name = durableName(options.durable, subject);
  const find = (): Promise<Consumer> =>
    persist(deps.link, `finding the consumer ${name}`, pullMs, () =>
      deps.jetstream.consumers.get(options.stream, name),
    );
  let consumer: Consumer | undefined;
  for (let failures = 0; !stopping.aborted; ) {
    try {
      await Promise.race([slots.whenFree(), stop]);
      consumer ??= await Promise.race([find(), stop]);
      // Subjects that share slots ask for one message each: none may keep the others' slots waiting.
      const count = options.subjects.length === 1 ? Math.max(1, options.concurrency - slots.taken) : 1;
      for await (const message of pullSome(consumer, count, stopping)) {
        await slots.take();
        void handle(message).finally(() => slots.give());
      }
      failures = 0;
    } catch (error) {
      if (stopping.aborted) return;
      failures++;
      consumer = undefined;
      deps.log.warn({ subject, error: String(error) }, "pulling messages failed; trying again");
      const pause = delay(Math.min(5_000, 50 * 2 ** failures), undefined, { signal: stopping });
      await pause.catch(() => undefined);
      // The consumer itself may be gone, e.g. with the data of a server that was replaced.
      const again = deps.link.whileConnected(ensureConsumer(deps.manager, options, subject));
      await Promise.race([again, stop]).catch(() => undefined);
    }
  }
}

function rejectedBy(signal: AbortSignal): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  promise.catch(() => undefined);
  signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  return promise;
}

async function* pullSome(consumer: Consumer, count: number, stopping: AbortSignal): AsyncGenerator<JsMsg> {
  const messages = await consumer.fetch({ max_messages: count, expires: pullMs, bind: true });
  const stop = (): void => messages.stop();
  stopping.addEventListener("abort", stop, { once: true });
  if (stopping.aborted) stop();
  try {
    yield* messages;
  } finally {
    stopping.removeEventListener("abort", stop);
  }
}
