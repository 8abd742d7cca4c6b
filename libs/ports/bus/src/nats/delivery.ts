import { type Msg, nanos } from "@nats-io/nats-core";
import type { Delivery } from "../transport.ts";
import { plainHeaders } from "./headers.ts";
import type { Link } from "./link.ts";

/**
 * What JetStream says of a delivery, and what it can be answered. The client package makes such objects only in its own
 * ways of consuming, none of which asks for messages as slots become free (see `pull.ts`).
 * Throws on a message that JetStream did not deliver.
 */
export function deliveryOf(link: Pick<Link, "turn">, message: Msg): Delivery {
  const { stream, seq, storedAt, count } = parseReply(message.reply ?? "");
  return {
    subject: message.subject,
    headers: plainHeaders(message.headers),
    data: message.data,
    stream,
    seq,
    storedAt,
    count,
    ack: async () => {
      await link.turn();
      message.respond("+ACK");
    },
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
