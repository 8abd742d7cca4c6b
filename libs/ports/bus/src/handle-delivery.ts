import { subjects } from "@microremed/contracts";
import { AppError, type Logger } from "@microremed/core";
import { type AckAction, decideAck, type HandlingOutcome, maxDeliveries } from "./ack-table.ts";
import type { Handler, MessageContext } from "./bus.ts";
import { deadLetterOf } from "./dead-letter-of.ts";
import type { Publish } from "./publish.ts";
import { replier } from "./reply.ts";
import { repeat } from "./timers.ts";
import { messageContext, withinContext } from "./trace.ts";
import type { Delivery, Transport } from "./transport.ts";
import { waitOutOutage } from "./wait-out-outage.ts";
import { wasStopped } from "./was-stopped.ts";

export interface DeliveryDeps {
  readonly transport: Transport;
  readonly publish: Publish;
  readonly log: Logger;
  /** Who consumes: named in dead letters. */
  readonly service: string;
  /** Aborted when in-flight messages must be let go of. */
  readonly signal: AbortSignal;
  /** Aborted when the service begins to stop. */
  readonly stopping: AbortSignal;
  readonly ackWaitMs: number;
}

/** Handles one delivery from reading to settling. Never throws: what goes wrong ends in a redelivery or a dead letter. */
export async function handleDelivery<T>(
  deps: DeliveryDeps,
  message: Delivery,
  read: (message: Delivery) => T,
  handler: Handler<T>,
): Promise<void> {
  const { transport, log, stopping } = deps;
  const context = contextOf(deps, message);
  const stopExtending = repeat(transport.timers, deps.ackWaitMs / 3, () => {
    if (transport.connected) message.working();
  });
  try {
    await withinContext(messageContext(context.headers["traceparent"]), async () => {
      const handle = () => attempt(message, context, read, handler);
      const outcome = await waitOutOutage(transport.timers, stopping, handle);
      await settle(deps, message, context, decideAck(outcome, context.attempt));
    });
  } catch (error) {
    log.error(
      { subject: message.subject, error: String(error) },
      "a message could not be settled; it comes again",
    );
  } finally {
    stopExtending();
  }
}

function contextOf(deps: DeliveryDeps, message: Delivery): MessageContext {
  const reply = replier(deps.transport, message.headers, deps.log);
  return {
    signal: deps.signal,
    stopping: deps.stopping,
    attempt: message.count,
    maxAttempts: maxDeliveries,
    messageId: `${message.stream}/${message.seq}/${message.storedAt}`,
    subject: message.subject,
    headers: message.headers,
    log: deps.log,
    fields: {},
    ...(reply && { reply }),
  };
}

async function attempt<T>(
  message: Delivery,
  context: MessageContext,
  read: (message: Delivery) => T,
  handler: Handler<T>,
): Promise<HandlingOutcome> {
  // Deliveries that ended with the death of a process never reached the table.
  if (context.attempt > maxDeliveries) {
    return {
      kind: "unreadable",
      reason: `delivered ${context.attempt - 1} times without being settled: every worker on it died`,
    };
  }
  let body: T;
  try {
    body = read(message);
  } catch (error) {
    return { kind: "unreadable", reason: AppError.from(error).message };
  }
  try {
    await handler(body, context);
    return { kind: "returned" };
  } catch (error) {
    if (context.signal.aborted || wasStopped(error, context)) return { kind: "released" };
    return { kind: "threw", error: AppError.from(error) };
  }
}

async function settle(
  { transport, publish, log, service }: DeliveryDeps,
  message: Delivery,
  context: MessageContext,
  action: AckAction,
): Promise<void> {
  switch (action.kind) {
    case "ack":
      return message.ack();
    case "nak":
      return message.nak(action.delayMs);
    case "dead-letter": {
      const letter = deadLetterOf(message, context, action, {
        service,
        at: Math.round(transport.timers.now()),
        maxBytes: transport.maxBytes,
      });
      await publish(subjects.deadLetter(service), letter, { msgId: `${context.messageId}/dead` });
      log.error(
        { subject: message.subject, code: action.code, reason: letter.reason },
        "a message went to the dead letters",
      );
      return message.term();
    }
    default:
      return action satisfies never;
  }
}
