import { ErrorInfo } from "@microremed/contracts";
import { AppError, createSlots, type Logger, retryable, terminal } from "@microremed/core";
import { z } from "zod";
import { assertFits, messageBytes } from "./assert-fits.ts";
import type { Consumption, Handler, MessageContext } from "./bus.ts";
import { decode } from "./codec.ts";
import type { GracePeriod } from "./grace-period.ts";
import { headersWithTrace } from "./publish.ts";
import { messageContext, withinContext } from "./trace.ts";
import type { Incoming, Transport } from "./transport.ts";
import { unreachable } from "./unreachable.ts";

const Refusal = z.object({ error: ErrorInfo });
/** Requests of one server handled at once; more wait in this process. */
const concurrency = 64;
/** Marks a reply that carries an error instead of the answer; its value is the severity. */
const errorHeader = "Microremed-Error";
const longestReason = 8192;

export async function request<T>(
  transport: Transport,
  subject: string,
  body: unknown,
  { schema, timeoutMs }: { schema: z.ZodType<T>; timeoutMs: number },
): Promise<T> {
  const text = JSON.stringify(body);
  const headers = headersWithTrace();
  assertFits(transport.maxBytes, `a request to ${subject}`, text, headers);
  const reply = await transport.request(subject, text, { headers, timeoutMs }).catch((cause: unknown) => {
    throw unreachable(`asking ${subject} (is the service that serves it running?)`, cause);
  });
  const severity = reply.headers[errorHeader.toLowerCase()];
  if (severity === undefined) return decode(schema, subject, reply.data);
  const { error } = decode(Refusal, subject, reply.data);
  throw (severity === "retryable" ? retryable : terminal)(error.code, error.message, error.details);
}

export interface ServeDeps {
  readonly transport: Transport;
  readonly log: Logger;
  readonly grace: GracePeriod;
}

/** Answers requests; returns once the server knows it, so that a request of the next moment has who answers it. */
export async function serve<T>(
  { transport, log, grace }: ServeDeps,
  subject: string,
  queue: string,
  schema: z.ZodType<T>,
  handler: Handler<T, unknown>,
): Promise<Consumption> {
  const slots = createSlots(concurrency);
  const take = async (message: Incoming): Promise<void> => {
    await slots.take();
    try {
      await answer(message, { log, grace, maxBytes: transport.maxBytes }, schema, handler);
    } catch (error) {
      log.error({ subject, error: String(error) }, "a request could not be answered");
    } finally {
      slots.give();
    }
  };
  const subscription = transport.subscribe(subject, queue, (message) => void take(message));
  // If the connection is lost meanwhile, it is said again when it is back.
  await subscription.begun().catch(() => undefined);
  return {
    [Symbol.asyncDispose]: async () => {
      await subscription.drain();
      await grace.whileEnding(slots.whenIdle());
    },
  };
}

/** What goes wrong with the request is the answer. Throws when none can be sent. */
async function answer<T>(
  message: Incoming,
  { log, grace, maxBytes }: Pick<ServeDeps, "log" | "grace"> & { readonly maxBytes: number },
  schema: z.ZodType<T>,
  handler: Handler<T, unknown>,
): Promise<void> {
  const { subject, headers } = message;
  const context: MessageContext = {
    signal: grace.signal,
    stopping: grace.stopping,
    attempt: 1,
    maxAttempts: 1,
    messageId: message.replyTo,
    subject,
    headers,
    log,
    fields: {},
  };
  try {
    const body = decode(schema, subject, message.data);
    const reply = await withinContext(messageContext(headers["traceparent"]), () => handler(body, context));
    const text = JSON.stringify(reply) ?? "";
    assertFits(maxBytes, `the answer to a request on ${subject}`, text);
    message.respond(text, {});
  } catch (thrown) {
    respondError(message, AppError.from(thrown), maxBytes);
  }
}

function respondError(message: Incoming, error: AppError, maxBytes: number): void {
  const { code, details } = error;
  const info = { code, message: error.message.slice(0, longestReason) };
  const headers = headersWithTrace({ [errorHeader]: error.severity });
  const full = JSON.stringify({ error: { ...info, details } });
  const fits = messageBytes(full, headers) <= maxBytes;
  message.respond(fits ? full : JSON.stringify({ error: info }), headers);
}
