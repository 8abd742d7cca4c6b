import { type Interceptor, type Outgoing, type OutgoingInterceptor, parseTraceparent } from "@microremed/bus";
import { idsIn, operationOf } from "./message-names.ts";
import type { SpanAttributes, Tracing } from "./tracing.ts";

/** Fields of the log line that say what a model or a vendor said, or that the span has under another name. */
const unsaid = new Set(["error_message", "error_code"]);

/**
 * One span per delivery of a message, or per request answered, with what the handler added to `context.fields`. A
 * handler that ends well but has `error_code` among them counts as failed.
 */
export function traceMessages(tracing: Tracing): Interceptor {
  return (next) => (message, context) => {
    const { subject, headers, fields } = context;
    const { experiment, episode } = idsIn(message);
    const traceparent = headers["traceparent"];
    const options = {
      kind: isRequest(subject) ? "server" : "consumer",
      // Without one, the context that a message is handled in holds a trace that no other process knows.
      parent: parseTraceparent(traceparent) && traceparent ? traceparent : null,
      attributes: {
        ...messaging(subject, "process"),
        "messaging.message.id": context.messageId,
        "microremed.delivery": context.attempt,
        "microremed.experiment.id": experiment,
        "microremed.episode.id": episode,
      },
    } as const;
    return tracing.within(`process ${operationOf(subject)}`, options, async (span) => {
      try {
        return await next(message, context);
      } finally {
        span.set(attributesOf(fields));
        if (typeof fields["error_code"] === "string") span.fail(fields["error_code"]);
      }
    });
  };
}

/** One span per command, result and request sent. Events have none: they are not handled. */
export function traceOutgoing(tracing: Tracing): OutgoingInterceptor {
  return (message, send) => {
    const { subject, kind } = message;
    if (subject.startsWith("microremed.events.")) return send();
    const verb = kind === "publish" ? "send" : "request";
    const options = {
      kind: kind === "publish" ? "producer" : "client",
      ...parentOf(message),
      attributes: messaging(subject, verb),
    } as const;
    return tracing.within(`${verb} ${operationOf(subject)}`, options, send);
  };
}

/** What the outbox sends belongs to the trace that its headers name, not to the relaying process's. */
function parentOf({ headers }: Outgoing): { parent?: string } {
  const traceparent = headers["traceparent"];
  return traceparent === undefined ? {} : { parent: traceparent };
}

/** Names by OpenTelemetry's conventions for messaging. */
function messaging(subject: string, verb: "process" | "send" | "request"): SpanAttributes {
  return {
    "messaging.system": "nats",
    "messaging.operation.name": verb,
    "messaging.operation.type": verb === "request" ? "send" : verb,
    "messaging.destination.name": subject,
  };
}

function isRequest(subject: string): boolean {
  return subject.startsWith("microremed.rpc.");
}

function attributesOf(fields: Readonly<Record<string, unknown>>): SpanAttributes {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => {
      const isPlain = ["string", "number", "boolean"].includes(typeof value);
      return isPlain && !unsaid.has(name) ? [[`microremed.${name}`, value as string | number | boolean]] : [];
    }),
  );
}
