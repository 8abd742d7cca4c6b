import { RangeEvent, streams, subjects } from "@microremed/contracts";
import type { Logger } from "@microremed/core";
import { DeliverPolicy, type JetStreamClient, type JetStreamManager } from "@nats-io/jetstream";
import { decode } from "./codec.ts";
import { DeadLetter } from "./dead-letter.ts";
import { type Link, persist } from "./link.ts";

/** How long NATS may be away when reading begins, ms. */
const openWithinMs = 30_000;

/** Every event of one experiment in order, from its first, then live until the signal aborts. */
export async function* readEvents(
  link: Link,
  jetstream: JetStreamClient,
  log: Logger,
  experimentId: string,
  signal: AbortSignal,
): AsyncGenerator<RangeEvent> {
  if (signal.aborted) return;
  const consumer = await persist(link, `reading the events of ${experimentId}`, openWithinMs, () =>
    jetstream.consumers.get(streams.events.name, {
      filter_subjects: subjects.eventsOf(experimentId),
      deliver_policy: DeliverPolicy.All,
    }),
  );
  const messages = await consumer.consume({ max_messages: 256 });
  const stop = (): void => messages.stop();
  signal.addEventListener("abort", stop, { once: true });
  try {
    for await (const message of messages) {
      try {
        yield decode(RangeEvent, message.subject, message.data);
      } catch (error) {
        log.warn(
          { subject: message.subject, error: String(error) },
          "an event that cannot be read is left out",
        );
      }
    }
  } finally {
    signal.removeEventListener("abort", stop);
    messages.stop();
    await consumer.delete().catch(() => undefined);
  }
}

/** The dead letters stored at this moment, oldest first. */
export async function* readDeadLetters(
  jetstream: JetStreamClient,
  manager: JetStreamManager,
  limit: number,
): AsyncGenerator<DeadLetter> {
  const { name } = streams.deadletters;
  const { state } = await manager.streams.info(name);
  const count = Math.min(limit, state.messages);
  if (count === 0) return;
  const consumer = await jetstream.consumers.get(name, { deliver_policy: DeliverPolicy.All });
  const messages = await consumer.fetch({ max_messages: count, expires: 5_000 });
  for await (const message of messages) yield decode(DeadLetter, message.subject, message.data);
}
