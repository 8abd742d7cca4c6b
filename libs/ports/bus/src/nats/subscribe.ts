import type { Msg } from "@nats-io/nats-core";
import type { Headers, Incoming, Subscription } from "../transport.ts";
import { natsHeaders, plainHeaders } from "./headers.ts";
import type { Link } from "./link.ts";

/** Messages that are not stored; subscriptions of one queue share them. */
export function subscribe(
  { connection }: Link,
  subject: string,
  queue: string | undefined,
  onMessage: (message: Incoming) => void,
): Subscription {
  const subscription = connection.subscribe(subject, queue === undefined ? {} : { queue });
  const receive = async (): Promise<void> => {
    for await (const message of subscription) onMessage(incoming(message));
  };
  const ended = receive();
  return {
    begun: () => connection.flush(),
    ended,
    drain: async () => {
      if (!connection.isClosed()) await subscription.drain();
      await ended;
    },
    unsubscribe: () => subscription.unsubscribe(),
  };
}

function incoming(message: Msg): Incoming {
  return {
    subject: message.subject,
    headers: plainHeaders(message.headers),
    data: message.data,
    replyTo: message.reply ?? "",
    respond: (text, headers) =>
      void message.respond(text, isEmpty(headers) ? {} : { headers: natsHeaders(headers) }),
  };
}

function isEmpty(headers: Headers): boolean {
  return Object.keys(headers).length === 0;
}
