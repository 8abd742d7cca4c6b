import { createHash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { AckPolicy, DeliverPolicy, type JetStreamManager } from "@nats-io/jetstream";
import { nanos } from "@nats-io/nats-core";
import type { ConsumeOptions, Handler, SubjectsConsumption } from "../bus.ts";
import { decode } from "../codec.ts";
import { createGracePeriod } from "../grace-period.ts";
import { createSlots, type Slots } from "../slots.ts";
import type { Delivery } from "./delivery.ts";
import { type DeliveryDeps, handleDelivery } from "./handle-delivery.ts";
import { unreachable } from "./link.ts";
import { dropIfAhead, settleGhosts } from "./mend-consumer.ts";
import { pullMessages } from "./pull.ts";

/** Longest pause between two tries to pull, ms. */
const pauseMs = 5_000;
/** Pulling that went well for so long has recovered from what failed before, ms. */
const calmMs = 10_000;
const defaultAckWaitMs = 15_000;
/** How often each consumer is looked at for what a crashed server has left of it, ms. */
const mendEveryMs = 30_000;

/** What was nobody's for so long is forgotten by the server: the consumers of clusters and models that are gone, ms. */
const forgetAfterMs = 7 * 24 * 3_600_000;
const maxInFlight = 10_000;
const longestName = 200;

type ConsumerNames = Pick<ConsumeOptions<unknown>, "stream" | "durable" | "ackWaitMs" | "maxInFlight">;

export interface ConsumeDeps extends Omit<DeliveryDeps, "signal" | "ackWaitMs" | "service"> {
  readonly manager: JetStreamManager;
  readonly interrupt: AbortSignal | undefined;
}

/**
 * Pulls no more messages than there are free slots, so that what this process cannot start is left to its replicas.
 * A server of version 2.9 allows one filter per consumer, so every subject has its own.
 */
export async function consume<T>(
  deps: ConsumeDeps,
  options: ConsumeOptions<T>,
  handler: Handler<T>,
): Promise<SubjectsConsumption> {
  const grace = createGracePeriod(deps.interrupt);
  const slots = createSlots(options.concurrency);
  const delivery: DeliveryDeps = {
    ...deps,
    service: options.durable,
    signal: grace.signal,
    ackWaitMs: options.ackWaitMs ?? defaultAckWaitMs,
  };
  const read = (message: Delivery): T =>
    decode(options.schema, message.subject, message.data, options.format);
  const handle = (message: Delivery): Promise<void> => handleDelivery(delivery, message, read, handler);

  const pullers = new Map<string, AbortController>();
  const running = new Set<Promise<void>>();
  const start = (subject: string, most: number): void => {
    const stopping = new AbortController();
    const puller = pull(deps, { ...options, most }, subject, slots, stopping.signal, handle);
    pullers.set(subject, stopping);
    mendNowAndThen(deps, options, subject, stopping.signal);
    running.add(puller);
    void puller.finally(() => running.delete(puller));
  };
  const stop = (subject: string): void => {
    pullers.get(subject)?.abort();
    pullers.delete(subject);
  };
  const follow = async (subjects: readonly string[]): Promise<void> => {
    const added = subjects.filter((subject) => !pullers.has(subject));
    for (const subject of added) await ensureConsumer(deps.manager, options, subject);
    // Subjects that share slots ask for one message each: none may keep the others' slots waiting.
    const most = subjects.length === 1 ? options.concurrency : 1;
    const wasAlone = pullers.size === 1;
    for (const subject of pullers.keys()) {
      if (wasAlone !== (subjects.length === 1) || !subjects.includes(subject)) stop(subject);
    }
    for (const subject of subjects) if (!pullers.has(subject)) start(subject, most);
  };
  await follow(options.subjects);
  return {
    get inFlight() {
      return slots.taken;
    },
    follow,
    [Symbol.asyncDispose]: async () => {
      for (const subject of [...pullers.keys()]) stop(subject);
      await grace.whileEnding(Promise.all(running).then(() => slots.whenIdle()));
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
      max_ack_pending: options.maxInFlight ?? maxInFlight,
      inactive_threshold: nanos(forgetAfterMs),
    });
  } catch (error) {
    throw unreachable(`creating a consumer of ${subject}`, error);
  }
}

/** The server takes 255 characters; a long name of a model has a part of its hash in the place of the rest. */
function durableName(durable: string, subject: string): string {
  const words = subject.replace("microremed.", "").replaceAll(".", "_");
  const name = `${durable}-${words.replaceAll("*", "any").replaceAll(">", "all")}`;
  if (name.length <= longestName) return name;
  return `${name.slice(0, longestName - 17)}-${createHash("sha256").update(name).digest("hex").slice(0, 16)}`;
}

/** Pulls a subject's messages until told to stop, whatever fails meanwhile. */
async function pull(
  deps: ConsumeDeps,
  options: ConsumerNames & { readonly most: number },
  subject: string,
  slots: Slots,
  stopping: AbortSignal,
  handle: (message: Delivery) => Promise<void>,
): Promise<void> {
  const { link } = deps;
  const { most } = options;
  const stop = rejectedBy(stopping);
  const consumer = durableName(options.durable, subject);
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

function mendNowAndThen(
  deps: ConsumeDeps,
  options: ConsumerNames,
  subject: string,
  stopping: AbortSignal,
): void {
  const { stream } = options;
  const consumer = durableName(options.durable, subject);
  let floor: number | undefined;
  const mend = async (): Promise<void> => {
    if (!deps.link.connected) return;
    if (await dropIfAhead(deps, stream, consumer)) await ensureConsumer(deps.manager, options, subject);
    else floor = await settleGhosts(deps, stream, consumer, floor);
  };
  // One that fails is followed by the next; whether NATS answers is told elsewhere.
  const timer = setInterval(() => void mend().catch(() => undefined), mendEveryMs).unref();
  stopping.addEventListener("abort", () => clearInterval(timer), { once: true });
}

function rejectedBy(signal: AbortSignal): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  promise.catch(() => undefined);
  signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  return promise;
}
