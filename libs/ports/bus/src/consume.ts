import { createHash } from "node:crypto";
import { createSlots } from "@microremed/core";
import type { ConsumeOptions, Handler, SubjectsConsumption } from "./bus.ts";
import { decode } from "./codec.ts";
import type { GracePeriod } from "./grace-period.ts";
import { type DeliveryDeps, handleDelivery } from "./handle-delivery.ts";
import type { ConsumerSpec, Delivery } from "./transport.ts";
import { unreachable } from "./unreachable.ts";

/** Extended while a handler works, so this is only how long a message waits after its process died, ms. */
const defaultAckWaitMs = 15_000;
const defaultMaxInFlight = 10_000;
const longestName = 200;

export interface ConsumeDeps extends Pick<DeliveryDeps, "transport" | "publish" | "log"> {
  readonly grace: GracePeriod;
}

/**
 * Takes no more messages than there are free slots, so that what this process cannot start is left to its replicas.
 * A server of version 2.9 allows one filter per consumer, so every subject has its own.
 */
export async function consume<T>(
  deps: ConsumeDeps,
  options: ConsumeOptions<T>,
  handler: Handler<T>,
): Promise<SubjectsConsumption> {
  const { transport, grace } = deps;
  const slots = createSlots(options.concurrency);
  const delivery: DeliveryDeps = {
    ...deps,
    service: options.durable,
    signal: grace.signal,
    stopping: grace.stopping,
    ackWaitMs: options.ackWaitMs ?? defaultAckWaitMs,
  };
  const read = (message: Delivery): T =>
    decode(options.schema, message.subject, message.data, options.format);
  const handle = (message: Delivery): Promise<void> => handleDelivery(delivery, message, read, handler);

  const pullers = new Map<string, AbortController>();
  const running = new Set<Promise<void>>();
  const start = (subject: string, most: number): void => {
    const stopping = new AbortController();
    const pull = { slots, most, stopping: stopping.signal, handle };
    const puller = transport.pull(consumerOf(options, subject), pull);
    pullers.set(subject, stopping);
    running.add(puller);
    void puller.finally(() => running.delete(puller));
  };
  const stop = (subject: string): void => {
    pullers.get(subject)?.abort();
    pullers.delete(subject);
  };
  const ensure = (subject: string): Promise<void> =>
    transport.ensureConsumer(consumerOf(options, subject)).catch((cause: unknown) => {
      throw unreachable(`creating a consumer of ${subject}`, cause);
    });
  const follow = async (subjects: readonly string[]): Promise<void> => {
    const added = subjects.filter((subject) => !pullers.has(subject));
    for (const subject of added) await ensure(subject);
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
    follow,
    [Symbol.asyncDispose]: async () => {
      for (const subject of [...pullers.keys()]) stop(subject);
      await grace.whileEnding(Promise.all(running).then(() => slots.whenIdle()));
    },
  };
}

function consumerOf(options: Omit<ConsumeOptions<unknown>, "schema">, subject: string): ConsumerSpec {
  return {
    stream: options.stream,
    name: durableName(options.durable, subject),
    subject,
    ackWaitMs: options.ackWaitMs ?? defaultAckWaitMs,
    maxInFlight: options.maxInFlight ?? defaultMaxInFlight,
  };
}

/** The server takes 255 characters; a long name of a model has a part of its hash in the place of the rest. */
function durableName(durable: string, subject: string): string {
  const words = subject.replace("microremed.", "").replaceAll(".", "_");
  const name = `${durable}-${words.replaceAll("*", "any").replaceAll(">", "all")}`;
  if (name.length <= longestName) return name;
  return `${name.slice(0, longestName - 17)}-${createHash("sha256").update(name).digest("hex").slice(0, 16)}`;
}
