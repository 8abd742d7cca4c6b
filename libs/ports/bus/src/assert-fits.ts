import { terminal } from "@microremed/core";
import type { Headers } from "./transport.ts";

/** Of one header besides its name and value, and of all together. */
const headerBytes = 4;
/** `NATS/1.0` and two line ends, which NATS counts into a message with headers. */
const headersBytes = 12;

/** Bytes that a body takes on the wire with its headers. */
export function messageBytes(text: string, headers: Headers = {}): number {
  let bytes = Buffer.byteLength(text) + headersBytes;
  for (const [name, value] of Object.entries(headers))
    bytes += Buffer.byteLength(name) + Buffer.byteLength(value) + headerBytes;
  return bytes;
}

/** Throws a terminal `invalid-message` for what the bus would not take: the same message never fits. */
export function assertFits(maxBytes: number, what: string, text: string, headers?: Headers): void {
  const bytes = messageBytes(text, headers);
  if (bytes <= maxBytes) return;
  throw terminal(
    "invalid-message",
    `${what} has ${bytes} bytes with its headers, and the bus takes at most ${maxBytes} (max_payload of NATS)`,
    { bytes, maxBytes },
  );
}
