import { setTimeout as delay } from "node:timers/promises";
import { AckPolicy, DeliverPolicy, type JetStreamManager } from "@nats-io/jetstream";
import { nanos } from "@nats-io/nats-core";
import type { ConsumeOptions, Consumption, Handler } from "./bus.ts";
import { decode } from "./codec.ts";
import type { Delivery } from "./delivery.ts";
import { type DeliveryDeps, handleDelivery } from "./handle-delivery.ts";
import { unreachable } from "./link.ts";
import { createPatience } from "./patience.ts";
import { pullMessages } from "./pull.ts";
import { createSlots, type Slots } from "./slots.ts";

/** Longest pause between two tries to pull, ms. */
const pauseMs = 5_000;
/** Pulling that went well for so long has recovered from what failed before, ms. */
const calmMs = 10_000;
const defaultAckWaitMs = 15_000;

type ConsumerNames = Pick<ConsumeOptions<unknown>, "stream" | "durable" | "ackWaitMs">;

export interface ConsumeDeps extends Omit<DeliveryDeps, "signal" | "ackWaitMs" | "service"> {
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
  const read = (message: Delivery): T =>
    decode(options.schema, message.subject, message.data, options.format);
  const handle = (message: Delivery): Promise<void> => handleDelivery(delivery, message, read, handler);

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

/** Pulls a subject's messages until told to stop, whatever fails meanwhile. */
async function pull(
  deps: ConsumeDeps,
  options: ConsumeOptions<unknown>,
  subject: string,
  slots: Slots,
  stopping: AbortSignal,
  handle: (message: Delivery) => Promise<void>,
): Promise<void> {
  const { link } = deps;
  const stop = rejectedBy(stopping);
  const consumer = durableName(options.durable, subject);
  // Subjects that share slots ask for one message each: none may keep the others' slots waiting.
  const most = options.subjects.length === 1 ? options.concurrency : 1;
  for (let failures = 0; !stopping.aborted; ) {
    const startedAt = performance.now();
    try {
      await Promise.race([link.whenConnected(pauseMs), stop]);
      await pullMessages({ link, stream: options.stream, consumer, slots, most, stopping, handle });
    } catch (error) {
      if (stopping.aborted) return;
      failures = performance.now() - startedAt > calmMs ? 1 : failures + 1;
      deps.log.warn({ subject, error: String(error) }, "pulling messages failed; trying again");
      const pause = delay(Math.min(pauseMs, 50 * 2 ** failures), undefined, { signal: stopping });
      await pause.catch(() => undefined);
      // The consumer itself may be gone, e.g. with the data of a server that was replaced.
      const again = link.whileConnected(ensureConsumer(deps.manager, options, subject));
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
