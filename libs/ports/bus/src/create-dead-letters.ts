import { streams } from "@microremed/contracts";
import { AppError, clipMiddle, terminal } from "@microremed/core";
import { decode } from "./codec.ts";
import { DeadLetter, keptBody, keptReason } from "./dead-letter.ts";
import type { DeadLetters, StoredDeadLetter } from "./dead-letters.ts";
import { storeText } from "./publish.ts";
import type { StoredMessage, Transport } from "./transport.ts";
import { unreachable } from "./unreachable.ts";

const { name: stream } = streams.deadletters;
const defaultLimit = 1_000;

/** The dead letters as they lie in their stream. */
export function createDeadLetters(transport: Transport): DeadLetters {
  const get: DeadLetters["get"] = async (id) => {
    const message = await transport.get(stream, id).catch((cause: unknown) => {
      throw unreachable(`reading dead letter ${id}`, cause);
    });
    if (!message)
      throw terminal(
        "unknown-dead-letter",
        `there is no dead letter ${id}; \`list\` shows the existing ones`,
      );
    return letterOf(message);
  };
  const drop: DeadLetters["drop"] = (id) =>
    transport.delete(stream, id).catch((cause: unknown) => {
      throw unreachable(`dropping dead letter ${id}`, cause);
    });
  return {
    list: ({ limit = defaultLimit } = {}) => list(transport, limit),
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
      await storeText(transport, letter.subject, letter.body, {
        // Makes asking twice harmless; it is another than the message's own, which the server may still remember.
        msgId: `dead-letter/${id}/retry`,
        headers: traceparent === undefined ? {} : { traceparent },
      });
      await drop(id);
    },
  };
}

async function* list(transport: Transport, limit: number): AsyncGenerator<StoredDeadLetter> {
  const options = { signal: new AbortController().signal, follow: false };
  let left = limit;
  if (left <= 0) return;
  for await (const message of transport.read(stream, streams.deadletters.subjects[0], options)) {
    yield letterOf(message);
    if (--left <= 0) return;
  }
}

/** A stored message that is not a dead letter, by some mistake, is shown as one, so that it can be dropped. */
function letterOf({ seq: id, subject, data, storedAtMs }: StoredMessage): StoredDeadLetter {
  try {
    return { id, ...decode(DeadLetter, subject, data) };
  } catch (thrown) {
    const { code, message: reason } = AppError.from(thrown);
    const body = new TextDecoder().decode(data).slice(0, keptBody);
    const known = { subject, service: "", messageId: "", deliveries: 0, headers: {}, at: storedAtMs };
    return { id, ...known, code, reason: clipMiddle(reason, keptReason), body, cut: true };
  }
}
