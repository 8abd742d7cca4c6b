import type { Logger } from "@microremed/core";
import { assertFits } from "./assert-fits.ts";
import type { Headers, Transport } from "./transport.ts";

/** The header by which the sender of a stored message asks for an answer: JetStream takes the plain reply subject for itself. */
export const replyToHeader = "Microremed-Reply-To";

const inbox = /^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$/;

/**
 * Answers the subject in the message's reply header. A sender cannot make the service speak on the product's own
 * subjects: such a header is ignored, as is one that is no subject.
 */
export function replier(
  transport: Transport,
  headers: Headers,
  log: Logger,
): ((body: unknown) => Promise<void>) | undefined {
  const target = headers[replyToHeader.toLowerCase()];
  if (target === undefined) return undefined;
  if (target.length > 256 || !inbox.test(target) || target.startsWith("microremed.")) {
    log.warn({ reply_to: target.slice(0, 256) }, "the reply subject of a message is ignored: it is no inbox");
    return undefined;
  }
  return async (body) => {
    const text = JSON.stringify(body);
    assertFits(transport.maxBytes, "the answer to a message", text);
    transport.post(target, text);
  };
}
