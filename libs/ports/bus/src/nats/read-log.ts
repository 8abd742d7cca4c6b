import { RangeEvent, streams, subjects } from "@microremed/contracts";
import type { Logger } from "@microremed/core";
import { DeliverPolicy, type JetStreamClient } from "@nats-io/jetstream";
import { decode } from "../codec.ts";
import { type Link, persist } from "./link.ts";

/** How long NATS may be away when reading begins, ms. */
const openWithinMs = 30_000;
/** How long one pull lasts, and how often the server shows meanwhile that it is there: two missing ones begin anew, ms. */
const pullMs = 10_000;
const heartbeatMs = 2_500;

/** Every event of one experiment in order, from its first; then live until the signal aborts, unless `follow` is false. */
export async function* readEvents(
  { link, jetstream, log }: { link: Link; jetstream: JetStreamClient; log: Logger },
  experimentId: string,
  { signal, follow = true }: { signal: AbortSignal; follow?: boolean },
): AsyncGenerator<RangeEvent> {
  if (signal.aborted) return;
  const consumer = await persist(link, `reading the events of ${experimentId}`, openWithinMs, () =>
    jetstream.consumers.get(streams.events.name, {
      filter_subjects: subjects.eventsOf(experimentId),
      deliver_policy: DeliverPolicy.All,
    }),
  );
  if (!follow && (await consumer.info()).num_pending === 0) return;
  const messages = await consumer.consume({
    max_messages: 256,
    expires: pullMs,
    idle_heartbeat: heartbeatMs,
  });
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
      if (!follow && message.info.pending === 0) return;
    }
  } finally {
    signal.removeEventListener("abort", stop);
    messages.stop();
    await consumer.delete().catch(() => undefined);
  }
}
