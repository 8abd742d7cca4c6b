import { headers, type MsgHdrs } from "@nats-io/nats-core";
import type { PublishOptions } from "../bus.ts";
import { encode } from "../codec.ts";
import { schemaOfSubject } from "../schema-of-subject.ts";
import { currentTraceparent } from "../trace.ts";
import { createSendConfirmed } from "./confirmed.ts";
import { type Link, persist, unreachable } from "./link.ts";

/** From asking to publish to the server's confirmation, ms; a lost connection may come back meanwhile. */
const withinMs = 15_000;
const idHeader = "Nats-Msg-Id";

export type Publish = (subject: string, body: unknown, options?: PublishOptions) => Promise<void>;

/** A message with an id is sent again when its confirmation got lost with the connection; one without is not. */
export function createPublish(link: Link): Publish {
  const send = createSendConfirmed(link);
  return async (subject, body, { msgId, headers } = {}) => {
    const text = encode(schemaOfSubject(subject), subject, body);
    const all = headersOf(headers);
    const doing = `publishing to ${subject}`;
    await link.turn();
    if (msgId !== undefined) {
      all.set(idHeader, msgId);
      return persist(link, doing, withinMs, () => send(subject, text, all));
    }
    await link.whenConnected(withinMs);
    await link.whileConnected(send(subject, text, all)).catch((cause: unknown) => {
      throw unreachable(doing, cause);
    });
  };
}

/** The given headers and, unless they say otherwise, the trace of what is being handled, if anything is. */
export function headersOf(given: Readonly<Record<string, string>> = {}): MsgHdrs {
  const result = headers();
  const traceparent = currentTraceparent();
  if (traceparent !== undefined) result.set("traceparent", traceparent);
  for (const [name, value] of Object.entries(given)) result.set(name, value);
  return result;
}

/** Headers by their names in lower case, the first value of each. */
export function plainHeaders(given: MsgHdrs | undefined): Record<string, string> {
  return Object.fromEntries(
    [...(given ?? [])].map(([name, values]) => [name.toLowerCase(), values[0] ?? ""]),
  );
}
