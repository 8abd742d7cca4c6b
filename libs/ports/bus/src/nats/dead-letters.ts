import { streams } from "@microremed/contracts";
import { AppError, clipMiddle, terminal } from "@microremed/core";
import {
  DeliverPolicy,
  JetStreamApiError,
  type JetStreamClient,
  type JetStreamManager,
} from "@nats-io/jetstream";
import { headers } from "@nats-io/nats-core";
import { decode } from "../codec.ts";
import { DeadLetter, keptBody, keptReason } from "../dead-letter.ts";
import type { DeadLetters, StoredDeadLetter } from "../dead-letters.ts";
import { unreachable } from "./link.ts";

const stream = streams.deadletters.name;
const defaultLimit = 1_000;
const noMessageFound = 10037;
const fetchMs = 5_000;

export function createDeadLetters(jetstream: JetStreamClient, manager: JetStreamManager): DeadLetters {
  const get: DeadLetters["get"] = async (id) => {
    const message = await manager.streams.getMessage(stream, { seq: id }).catch((error: unknown) => {
      if (error instanceof JetStreamApiError && error.code === noMessageFound) return null;
      throw unreachable(`reading dead letter ${id}`, error);
    });
    if (!message)
      throw terminal("unknown-dead-letter", `there is no dead letter ${id}; \`list\` shows those there are`);
    return letterOf(id, message);
  };
  const drop: DeadLetters["drop"] = async (id) => {
    try {
      return await manager.streams.deleteMessage(stream, id);
    } catch (error) {
      if (error instanceof JetStreamApiError) return false;
      throw unreachable(`dropping dead letter ${id}`, error);
    }
  };
  return {
    list: ({ limit = defaultLimit } = {}) => list(jetstream, manager, limit),
    get,
    drop,
    retry: async (id) => {
      const letter = await get(id);
      if (letter.cut) {
        throw terminal(
          "invalid-request",
          `dead letter ${id} cannot be retried: its message was not kept whole`,
        );
      }
      const { traceparent } = letter.headers;
      const kept = headers();
      if (traceparent !== undefined) kept.set("traceparent", traceparent);
      // The id makes asking twice harmless; it is another than the message's own, which the server may still remember.
      const options = { msgID: `dead-letter/${id}/retry`, headers: kept };
      await jetstream.publish(letter.subject, letter.body, options).catch((error: unknown) => {
        throw unreachable(`publishing dead letter ${id} to ${letter.subject}`, error);
      });
      await drop(id);
    },
  };
}

interface StoredMessage {
  readonly subject: string;
  readonly data: Uint8Array;
  readonly time: Date;
}

/** What lies among the letters and is none, by somebody's mistake, is shown as one, so that it can be dropped. */
function letterOf(id: number, { subject, data, time }: StoredMessage): StoredDeadLetter {
  try {
    return { id, ...decode(DeadLetter, subject, data) };
  } catch (thrown) {
    const { code, message: reason } = AppError.from(thrown);
    const body = new TextDecoder().decode(data).slice(0, keptBody);
    const known = { subject, service: "", messageId: "", deliveries: 0, headers: {}, at: time.getTime() };
    return { id, ...known, code, reason: clipMiddle(reason, keptReason), body, cut: true };
  }
}

async function* list(
  jetstream: JetStreamClient,
  manager: JetStreamManager,
  limit: number,
): AsyncGenerator<StoredDeadLetter> {
  const { state } = await manager.streams.info(stream);
  const count = Math.min(limit, state.messages);
  if (count === 0) return;
  const consumer = await jetstream.consumers.get(stream, { deliver_policy: DeliverPolicy.All });
  const messages = await consumer.fetch({ max_messages: count, expires: fetchMs });
  for await (const message of messages) {
    yield letterOf(message.seq, message);
  }
}
