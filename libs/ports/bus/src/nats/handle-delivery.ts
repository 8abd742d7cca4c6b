import { subjects } from "@microremed/contracts";
import { AppError, clipMiddle, type Logger } from "@microremed/core";
import { type AckAction, decideAck, type HandlingOutcome, maxDeliveries } from "../ack-table.ts";
import type { Handler, MessageContext } from "../bus.ts";
import { type DeadLetter, keptBody, keptReason } from "../dead-letter.ts";
import { messageContext, withinContext } from "../trace.ts";
import { waitOutOutage } from "../wait-out-outage.ts";
import type { Delivery } from "./delivery.ts";
import type { Link } from "./link.ts";
import { type Publish, plainHeaders } from "./publish.ts";
import { replier } from "./reply.ts";

const decoder = new TextDecoder();

export interface DeliveryDeps {
  readonly link: Link;
  readonly publish: Publish;
  readonly log: Logger;
  /** Who consumes: named in dead letters. */
  readonly service: string;
  /** Aborted when in-flight messages must be let go of. */
  readonly signal: AbortSignal;
  readonly ackWaitMs: number;
}

/** Handles one delivery from reading to settling. Never throws: what goes wrong ends in a redelivery or a dead letter. */
export async function handleDelivery<T>(
  deps: DeliveryDeps,
  message: Delivery,
  read: (message: Delivery) => T,
  handler: Handler<T>,
): Promise<void> {
  const context = contextOf(deps, message);
  const keepAlive = setInterval(() => {
    if (deps.link.connected) message.working();
  }, deps.ackWaitMs / 3);
  try {
    await withinContext(messageContext(context.headers["traceparent"]), async () => {
      const outcome = await waitOutOutage(deps.signal, () => attempt(message, context, read, handler));
      await settle(deps, message, context, decideAck(outcome, context.attempt));
    });
  } catch (error) {
    deps.log.error(
      { subject: message.subject, error: String(error) },
      "a message could not be settled; it comes again",
    );
  } finally {
    clearInterval(keepAlive);
  }
}

function contextOf(deps: DeliveryDeps, message: Delivery): MessageContext {
  const headers = plainHeaders(message.headers);
  const reply = replier(deps.link, headers, deps.log);
  return {
    signal: deps.signal,
    attempt: message.count,
    maxAttempts: maxDeliveries,
    messageId: `${message.stream}/${message.seq}/${message.storedAt}`,
    subject: message.subject,
    headers,
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
      reason: `delivered ${context.attempt - 1} times, and nobody lived to settle it`,
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
    if (context.signal.aborted) return { kind: "released" };
    return { kind: "threw", error: AppError.from(error) };
  }
}

async function settle(
  deps: DeliveryDeps,
  message: Delivery,
  context: MessageContext,
  action: AckAction,
): Promise<void> {
  switch (action.kind) {
    case "ack":
      await deps.link.turn();
      return message.ack();
    case "nak":
      return message.nak(action.delayMs);
    case "dead-letter": {
      const text = decoder.decode(message.data);
      const letter: DeadLetter = {
        subject: message.subject,
        service: deps.service,
        messageId: context.messageId,
        deliveries: context.attempt,
        code: action.code,
        reason: clipMiddle(action.reason, keptReason),
        headers: { ...context.headers },
        body: text.slice(0, keptBody),
        cut: text.length > keptBody,
        at: Date.now(),
      };
      await deps.publish(subjects.deadLetter(deps.service), letter, { msgId: `${context.messageId}/dead` });
      deps.log.error(
        { subject: message.subject, code: action.code, reason: letter.reason },
        "a message went to the dead letters",
      );
      return message.term();
    }
    default:
      return action satisfies never;
  }
}
