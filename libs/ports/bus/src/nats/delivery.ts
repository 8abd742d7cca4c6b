import { type Msg, type MsgHdrs, nanos } from "@nats-io/nats-core";

/**
 * One delivery of a stored message, and what the server can be told of it. The client package makes such objects only
 * in its own ways of consuming, none of which asks for messages as slots become free (see `pull.ts`).
 */
export interface Delivery {
  readonly subject: string;
  readonly headers: MsgHdrs | undefined;
  readonly data: Uint8Array;
  readonly stream: string;
  /** Number of the message in its stream. */
  readonly seq: number;
  /** When it was stored, ns since the epoch, as text: a number would not hold it. */
  readonly storedAt: string;
  /** Which delivery this is, counted from 1. */
  readonly count: number;
  ack(): void;
  nak(delayMs: number): void;
  /** Prolongs the time in which it must be settled. */
  working(): void;
  term(): void;
}

/** Throws on a message that JetStream did not deliver. */
export function deliveryOf(message: Msg): Delivery {
  const { stream, seq, storedAt, count } = parseReply(message.reply ?? "");
  return {
    subject: message.subject,
    headers: message.headers,
    data: message.data,
    stream,
    seq,
    storedAt,
    count,
    ack: () => void message.respond("+ACK"),
    nak: (delayMs) => void message.respond(`-NAK ${JSON.stringify({ delay: nanos(delayMs) })}`),
    working: () => void message.respond("+WPI"),
    term: () => void message.respond("+TERM"),
  };
}

/** `$JS.ACK.[<domain>.<account>.]<stream>.<consumer>.<count>.<seq>.<consumer seq>.<time>.<pending>[.<token>]` */
function parseReply(reply: string): Pick<Delivery, "stream" | "seq" | "storedAt" | "count"> {
  const tokens = reply.split(".");
  const from = tokens.length >= 11 ? 4 : 2;
  const [stream = "", , count = "", seq = "", , storedAt = ""] = tokens.slice(from);
  if (tokens[1] !== "ACK" || storedAt === "") throw new Error(`not a delivery of JetStream: ${reply}`);
  return { stream, seq: Number(seq), storedAt, count: Number(count) };
}
