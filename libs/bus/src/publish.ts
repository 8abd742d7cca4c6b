import type { JetStreamClient } from "@nats-io/jetstream";
import { headers, type MsgHdrs } from "@nats-io/nats-core";
import type { PublishOptions } from "./bus.ts";
import { encode } from "./codec.ts";
import { type Link, unreachable } from "./link.ts";
import { schemaOfSubject } from "./schema-of-subject.ts";
import { currentTraceparent } from "./trace.ts";

/** From asking to publish to the server's confirmation. */
const confirmWithinMs = 5_000;

export type Publish = (subject: string, body: unknown, options?: PublishOptions) => Promise<void>;

export function createPublish(link: Link, jetstream: JetStreamClient): Publish {
  return async (subject, body, options = {}) => {
    const text = encode(schemaOfSubject(subject), subject, body);
    await link.whenConnected(confirmWithinMs);
    try {
      await jetstream.publish(subject, text, {
        timeout: confirmWithinMs,
        headers: headersOf(options.headers),
        ...(options.msgId !== undefined && { msgID: options.msgId }),
      });
    } catch (error) {
      throw unreachable(`publishing to ${subject}`, error);
    }
  };
}

/** The given headers and, unless they say otherwise, the trace of what is being handled. */
export function headersOf(given: Readonly<Record<string, string>> = {}): MsgHdrs {
  const result = headers();
  result.set("traceparent", currentTraceparent());
  for (const [name, value] of Object.entries(given)) result.set(name, value);
  return result;
}

/** Headers by their names in lower case, the first value of each. */
export function plainHeaders(given: MsgHdrs | undefined): Record<string, string> {
  return Object.fromEntries(
    [...(given ?? [])].map(([name, values]) => [name.toLowerCase(), values[0] ?? ""]),
  );
}
