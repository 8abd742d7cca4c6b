import { assertFits } from "./assert-fits.ts";
import type { PublishOptions } from "./bus.ts";
import { encode } from "./codec.ts";
import { schemaOfSubject } from "./schema-of-subject.ts";
import { currentTraceparent } from "./trace.ts";
import type { Headers, Transport } from "./transport.ts";
import { unreachable } from "./unreachable.ts";

const idHeader = "Nats-Msg-Id";

export type Publish = (subject: string, body: unknown, options?: PublishOptions) => Promise<void>;

/** Publishes what the subject's schema allows. */
export function createPublish(transport: Transport): Publish {
  return async (subject, body, options = {}) => {
    const text = encode(schemaOfSubject(subject), subject, body);
    await storeText(transport, subject, text, options);
  };
}

/** Stores a text that has been a message before, or has just become one. */
export async function storeText(
  transport: Transport,
  subject: string,
  text: string,
  { msgId, headers: given }: PublishOptions,
): Promise<void> {
  const headers = { ...headersWithTrace(given), ...(msgId !== undefined && { [idHeader]: msgId }) };
  assertFits(transport.maxBytes, `a message for ${subject}`, text, headers);
  const message = { subject, text, headers, ...(msgId !== undefined && { msgId }) };
  await transport.store(message).catch((cause: unknown) => {
    throw unreachable(`publishing to ${subject}`, cause);
  });
}

/** The given headers and, unless they say otherwise, the trace of what is being handled, if anything is. */
export function headersWithTrace(given: Headers = {}): Headers {
  const traceparent = currentTraceparent();
  return traceparent === undefined ? given : { traceparent, ...given };
}
