import { DeliverPolicy, type JetStreamClient } from "@nats-io/jetstream";
import type { StoredMessage, Transport } from "../transport.ts";
import { plainHeaders } from "./headers.ts";
import { type Link, persist } from "./link.ts";

/** How long NATS may be away when reading begins, ms. */
const openWithinMs = 30_000;
/** How long one pull lasts, and how often the server shows meanwhile that it is there: after two missing ones the read starts again, ms. */
const pullMs = 10_000;
const heartbeatMs = 2_500;

/** What a stream has of a filter in order, by a consumer of this reader's own that survives reconnects. */
export async function* readStream(
  { link, client }: { link: Link; client: JetStreamClient },
  stream: string,
  filter: string,
  { signal, follow }: Parameters<Transport["read"]>[2],
): AsyncGenerator<StoredMessage> {
  const consumer = await persist(link, openWithinMs, () =>
    client.consumers.get(stream, { filter_subjects: filter, deliver_policy: DeliverPolicy.All }),
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
      const { subject, data, seq, time } = message;
      yield { subject, headers: plainHeaders(message.headers), data, seq, storedAtMs: time.getTime() };
      if (!follow && message.info.pending === 0) return;
    }
  } finally {
    signal.removeEventListener("abort", stop);
    messages.stop();
    await consumer.delete().catch(() => undefined);
  }
}
