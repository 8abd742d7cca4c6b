import { clipMiddle } from "@microremed/core";
import type { AckAction } from "./ack-table.ts";
import { messageBytes } from "./assert-fits.ts";
import type { MessageContext } from "./bus.ts";
import { type DeadLetter, keptBody, keptReason } from "./dead-letter.ts";
import type { Delivery } from "./transport.ts";

const decoder = new TextDecoder();
/** Of the letter's own headers: its id and its trace. */
const headersBytes = 1024;

/** What is kept of a message that could not be handled. It fits onto the bus, whatever the message holds. */
export function deadLetterOf(
  { subject, data, count }: Delivery,
  { messageId, headers }: MessageContext,
  { code, reason }: Extract<AckAction, { kind: "dead-letter" }>,
  { service, at, maxBytes }: { service: string; at: number; maxBytes: number },
): DeadLetter {
  const text = decoder.decode(data);
  const letter: DeadLetter = {
    subject,
    service,
    messageId,
    deliveries: count,
    code,
    reason: clipMiddle(reason, keptReason),
    headers: { ...headers },
    body: text.slice(0, keptBody),
    cut: text.length > keptBody,
    at,
  };
  return fitting(letter, maxBytes - headersBytes);
}

/** As JSON a character may take six bytes, so that a body that fitted may not fit as a part of its letter. */
function fitting(letter: DeadLetter, maxBytes: number): DeadLetter {
  let shorter = letter;
  while (messageBytes(JSON.stringify(shorter)) > maxBytes) {
    if (shorter.body === "") return { ...shorter, headers: {} };
    shorter = { ...shorter, body: shorter.body.slice(0, shorter.body.length / 2), cut: true };
  }
  return shorter;
}
