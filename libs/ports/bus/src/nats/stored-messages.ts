import { JetStreamApiError, type JetStreamManager } from "@nats-io/jetstream";
import type { StoredMessage } from "../transport.ts";
import { plainHeaders } from "./headers.ts";

/** JetStream's error code for it (server/errors.json). */
const noMessageFound = 10037;

/** A message by its number; undefined: there is none. */
export async function getStored(
  manager: JetStreamManager,
  stream: string,
  seq: number,
): Promise<StoredMessage | undefined> {
  const message = await manager.streams.getMessage(stream, { seq }).catch((error: unknown) => {
    if (error instanceof JetStreamApiError && error.code === noMessageFound) return null;
    throw error;
  });
  if (!message) return undefined;
  const { subject, header, data, time } = message;
  return { subject, headers: plainHeaders(header), data, seq, storedAtMs: time.getTime() };
}

/** False: there is none of that number. */
export async function deleteStored(manager: JetStreamManager, stream: string, seq: number): Promise<boolean> {
  try {
    return await manager.streams.deleteMessage(stream, seq);
  } catch (error) {
    if (error instanceof JetStreamApiError) return false;
    throw error;
  }
}
