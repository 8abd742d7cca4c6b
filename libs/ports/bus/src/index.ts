export type {
  Bus,
  BusOptions,
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
export { DeadLetter } from "./dead-letter.ts";
export type { DeadLetters, StoredDeadLetter } from "./dead-letters.ts";
export type { Queue } from "./queue.ts";
export { formatTraceparent, keepContexts, parseTraceparent, traceHeaders } from "./trace.ts";
export { wasStopped } from "./was-stopped.ts";
