export { type AckAction, decideAck, type HandlingOutcome, maxDeliveries } from "./ack-table.ts";
export type {
  Bus,
  ConsumeOptions,
  Consumption,
  Handler,
  Interceptor,
  MessageContext,
  Outgoing,
  OutgoingInterceptor,
  PublishOptions,
  SubjectsConsumption,
} from "./bus.ts";
export { type BusOptions, connectBus } from "./connect-bus.ts";
export { DeadLetter } from "./dead-letter.ts";
export type { DeadLetters, StoredDeadLetter } from "./dead-letters.ts";
export type { Queue } from "./queues.ts";
export { replyToHeader } from "./reply.ts";
export { formatTraceparent, keepContexts, parseTraceparent, traceHeaders } from "./trace.ts";
