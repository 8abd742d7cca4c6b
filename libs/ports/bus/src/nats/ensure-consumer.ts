import { AckPolicy, DeliverPolicy, type JetStreamManager } from "@nats-io/jetstream";
import { nanos } from "@nats-io/nats-core";
import type { ConsumerSpec } from "../transport.ts";
import { untilAnswered } from "./until-answered.ts";

/** The server deletes a consumer that was idle for this long: those of clusters and models that are gone, ms. */
const forgetAfterMs = 7 * 24 * 3_600_000;

/** Creates a durable consumer or brings it up to date. */
export async function ensureConsumer(
  manager: JetStreamManager,
  { stream, name, subject, ackWaitMs, maxInFlight }: ConsumerSpec,
): Promise<void> {
  const config = {
    durable_name: name,
    filter_subject: subject,
    ack_policy: AckPolicy.Explicit,
    ack_wait: nanos(ackWaitMs),
    deliver_policy: DeliverPolicy.All,
    // Counted by this package instead, which makes a dead letter of the message; the server would silently leave it lying.
    max_deliver: -1,
    max_ack_pending: maxInFlight,
    inactive_threshold: nanos(forgetAfterMs),
  };
  await untilAnswered(() => manager.consumers.add(stream, config));
}
