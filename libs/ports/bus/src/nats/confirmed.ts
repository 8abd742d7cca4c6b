import { parseJson } from "@microremed/core";
import { createInbox, type Msg, type MsgHdrs } from "@nats-io/nats-core";
import { z } from "zod";
import type { Link } from "./link.ts";

/** Sends a message to its stream; returns once the server has stored it, or knows it already. */
export type SendConfirmed = (subject: string, text: string, headers: MsgHdrs) => Promise<void>;

interface Waiting {
  readonly until: number;
  resolve(): void;
  reject(reason: Error): void;
}

/** From sending to the server's confirmation, ms. */
const confirmWithinMs = 5_000;
const checkEveryMs = 500;
/** NATS' status for a subject without a subscriber. */
const noResponders = 503;
const Confirmation = z.object({
  stream: z.string().optional(),
  error: z.object({ description: z.string() }).optional(),
});

/**
 * All confirmations arrive on one subject and share one timer. The client package's own way makes a timer, a race and
 * an error with its stack for every message that goes well, a tenth of a busy scheduler's time.
 */
export function createSendConfirmed({ connection, inboxPrefix }: Link): SendConfirmed {
  const inbox = createInbox(inboxPrefix);
  // In the order of sending, which is that of the deadlines.
  const waiting = new Map<string, Waiting>();
  let count = 0;
  const receive = (error: Error | null, message: Msg): void => {
    if (error) return;
    const number = message.subject.slice(inbox.length + 1);
    const sender = waiting.get(number);
    waiting.delete(number);
    const refused = refusal(message);
    if (refused === undefined) sender?.resolve();
    else sender?.reject(new Error(refused));
  };
  connection.subscribe(`${inbox}.*`, { callback: receive });
  const timer = setInterval(() => {
    const now = performance.now();
    for (const [number, { until, reject }] of waiting) {
      if (until > now) return;
      waiting.delete(number);
      reject(new Error(`the server did not confirm within ${confirmWithinMs / 1000} s`));
    }
  }, checkEveryMs);
  timer.unref();
  void connection.closed().then(() => clearInterval(timer));

  return (subject, text, headers) => {
    const number = String(++count);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    connection.publish(subject, text, { headers, reply: `${inbox}.${number}` });
    waiting.set(number, { until: performance.now() + confirmWithinMs, resolve, reject });
    return promise;
  };
}

/** Why a message was not stored; undefined when it was. */
function refusal(message: Msg): string | undefined {
  if (message.headers?.code === noResponders) return "no stream takes it, or JetStream is not enabled";
  const { success, data } = Confirmation.safeParse(parseJson(message.string()));
  if (!success) return `an answer that is no confirmation: ${message.string().slice(0, 200)}`;
  if (data.error) return data.error.description;
  return data.stream === undefined ? "an answer without a stream's name" : undefined;
}
