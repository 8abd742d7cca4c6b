import { ErrorInfo } from "@microremed/contracts";
import { AppError, type Logger, retryable, terminal } from "@microremed/core";
import type { Msg } from "@nats-io/nats-core";
import { z } from "zod";
import type { Consumption, Handler, MessageContext } from "../bus.ts";
import { decode } from "../codec.ts";
import { createGracePeriod } from "../grace-period.ts";
import { messageContext, withinContext } from "../trace.ts";
import { type Link, unreachable } from "./link.ts";
import { headersOf, plainHeaders } from "./publish.ts";

const Refusal = z.object({ error: ErrorInfo });
/** Requests of one server handled at once; more wait in the client's queue. */
const concurrency = 64;

export async function request<T>(
  link: Link,
  subject: string,
  body: unknown,
  options: { schema: z.ZodType<T>; timeoutMs: number },
): Promise<T> {
  await link.whenConnected(options.timeoutMs);
  const reply = await link.connection
    .request(subject, JSON.stringify(body), { timeout: options.timeoutMs, headers: headersOf() })
    .catch((cause: unknown) => {
      throw unreachable(`asking ${subject} (is the service that serves it running?)`, cause);
    });
  if (reply.headers?.has(errorHeader)) throw refusalIn(subject, reply);
  return decode(options.schema, subject, reply.data);
}

/** Marks a reply that carries an error instead of the answer; its value is the severity. */
const errorHeader = "Microremed-Error";

function refusalIn(subject: string, reply: Msg): AppError {
  const { error } = decode(Refusal, subject, reply.data);
  const make = reply.headers?.get(errorHeader) === "retryable" ? retryable : terminal;
  return make(error.code, error.message, error.details);
}

export function serve<T>(
  link: Link,
  log: Logger,
  subject: string,
  queue: string,
  schema: z.ZodType<T>,
  handler: Handler<T, unknown>,
  interrupt: AbortSignal | undefined,
): Consumption {
  const grace = createGracePeriod(interrupt);
  const running = new Set<Promise<void>>();
  const subscription = link.connection.subscribe(subject, { queue });

  const pump = async (): Promise<void> => {
    for await (const message of subscription) {
      const work = answer(message, log, grace.signal, schema, handler);
      running.add(work);
      void work.finally(() => running.delete(work));
      if (running.size >= concurrency) await Promise.race(running);
    }
  };
  const pumping = pump();
  return {
    get inFlight() {
      return running.size;
    },
    [Symbol.asyncDispose]: async () => {
      if (!link.connection.isClosed()) await subscription.drain();
      await pumping;
      await grace.whileEnding(Promise.all(running));
    },
  };
}

async function answer<T>(
  message: Msg,
  log: Logger,
  signal: AbortSignal,
  schema: z.ZodType<T>,
  handler: Handler<T, unknown>,
): Promise<void> {
  const headers = plainHeaders(message.headers);
  const context: MessageContext = {
    signal,
    attempt: 1,
    maxAttempts: 1,
    messageId: message.reply ?? "",
    subject: message.subject,
    headers,
    log,
    fields: {},
  };
  try {
    const body = decode(schema, message.subject, message.data);
    const reply = await withinContext(messageContext(headers["traceparent"]), () => handler(body, context));
    message.respond(JSON.stringify(reply));
  } catch (thrown) {
    const error = AppError.from(thrown);
    const headersWithError = headersOf({ [errorHeader]: error.severity });
    const info = { code: error.code, message: error.message.slice(0, 8192), details: error.details };
    message.respond(JSON.stringify({ error: info }), { headers: headersWithError });
  }
}
