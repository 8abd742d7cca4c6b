import type { ExperimentRequestInput, RangeEvent, SubmitReply } from "@microremed/contracts";
import type { Logger } from "@microremed/core";
import type { z } from "zod";
import type { DeadLetters } from "./dead-letters.ts";
import type { Queue } from "./queue.ts";

/** What a handler knows of the message it handles. */
export interface MessageContext {
  /** Aborted when the service must let go of the message: it will be delivered again. */
  readonly signal: AbortSignal;
  /**
   * Aborted when the service begins to stop, up to ten seconds before `signal`. Work goes on. A handler that only waits
   * throws the signal's reason: the message is delivered again at once.
   */
  readonly stopping: AbortSignal;
  /** Which delivery this is, counted from 1. */
  readonly attempt: number;
  /** The delivery after which the message goes to the dead letters. */
  readonly maxAttempts: number;
  /** The same on every delivery of one message, different for every message. */
  readonly messageId: string;
  readonly subject: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly log: Logger;
  /** What a handler adds here, flat, appears in the log line of the message. */
  readonly fields: Record<string, unknown>;
  /** Answers the message's sender; there only if the sender gave a reply subject. */
  readonly reply?: (body: unknown) => Promise<void>;
}

/**
 * Does what one message asks. What it throws decides its fate: a retryable error means another delivery, a terminal
 * one the dead letters.
 */
export type Handler<T, R = void> = (message: T, context: MessageContext) => Promise<R>;

/** What cuts across all handlers of a process: logs, metrics. Wraps a handler, seeing its outcome. */
export type Interceptor = <R>(next: Handler<unknown, R>) => Handler<unknown, R>;

/** What is about to be sent. */
export interface Outgoing {
  readonly kind: "publish" | "request";
  readonly subject: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** What cuts across all that a process sends: traces. `send` may be called once. */
export type OutgoingInterceptor = <T>(message: Outgoing, send: () => Promise<T>) => Promise<T>;

/** Id and headers of one published message. */
export interface PublishOptions {
  /** Two messages of one id within the stream's window (10 min) are stored once. */
  readonly msgId?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a consumer takes from a work-queue stream, and how much at once. */
export interface ConsumeOptions<T> {
  /** Name of a stream in contracts, e.g. `COMMANDS_EXECUTOR`. */
  readonly stream: string;
  /** Name that replicas share; each subject gets a durable consumer `<durable>-<subject>`. */
  readonly durable: string;
  /** Filters; on a work-queue stream no two consumers may have overlapping ones. */
  readonly subjects: readonly string[];
  readonly schema: z.ZodType<T>;
  /** `text` hands the body to the schema as it came, for messages written by hand. Default: `json`. */
  readonly format?: "json" | "text";
  /** Messages handled at once by this process, over all subjects. */
  readonly concurrency: number;
  /** Messages of one subject handled at once by all replicas together. Default: 10,000. */
  readonly maxInFlight?: number;
  /** A message not settled and not extended for this long is delivered to another consumer, ms. Default: 15 s. */
  readonly ackWaitMs?: number;
}

export interface StreamOptions {
  /** Servers of a NATS cluster that keep each stream: 1, 3 or 5. Default: as it is, 1 for a new one. */
  readonly replicas?: number;
  /** Default: true. False, for users without the right: nothing is changed, and what is missing or different is an error. */
  readonly create?: boolean;
}

/** What every driver takes. */
export interface BusOptions {
  readonly log: Logger;
  /** Wrapped around every handler of `consume` and `serve`, the first one outermost. */
  readonly interceptors?: readonly Interceptor[];
  /** Wrapped around every `publish` and `request`. */
  readonly outgoing?: OutgoingInterceptor;
  /** Aborted: handlers let go of their work, which is then delivered again, instead of finishing it. */
  readonly interrupt?: AbortSignal;
}

/**
 * A running `consume` or `serve`. Disposing stops taking messages and waits for what is in flight; handlers that take
 * over ten seconds have their signal aborted.
 */
export type Consumption = AsyncDisposable;

/** A running `consume`, whose subjects may change. */
export interface SubjectsConsumption extends Consumption {
  /** From now on consumes these. What is in flight of those that are left out is finished. */
  follow(subjects: readonly string[]): Promise<void>;
}

/** Messages between services, whatever carries them. Disposing it finishes what is in flight and disconnects. */
export interface Bus extends AsyncDisposable {
  /** Whether the bus is connected at this moment. */
  readonly connected: boolean;
  /**
   * Creates the streams of contracts that are missing and brings the others up to date. Throws retryable
   * `bus-unreachable`, with `create: false` also while one is missing or different.
   */
  ensureStreams(options?: StreamOptions): Promise<void>;
  /**
   * Validates by the subject's schema, stores in its stream and returns once that is confirmed. Throws retryable
   * `bus-unreachable`; terminal `invalid-message` for a body that is wrong or too large (1 MB with its headers).
   */
  publish(subject: string, body: unknown, options?: PublishOptions): Promise<void>;
  consume<T>(options: ConsumeOptions<T>, handler: Handler<T>): Promise<SubjectsConsumption>;
  /** Subjects of a work-queue stream with messages that are not settled yet, of those that match `filter`; at most 1000. Throws retryable `bus-unreachable`. */
  waitingSubjects(stream: string, filter: string): Promise<string[]>;
  /**
   * Core request/reply. Throws retryable `bus-unreachable`, also when the subject has no server; and what the server of
   * the subject threw, or that its answer was too large (terminal `invalid-message`).
   */
  request<T>(
    subject: string,
    body: unknown,
    options: { schema: z.ZodType<T>; timeoutMs: number },
  ): Promise<T>;
  /** Answers requests; replicas of one `queue` share them. What the handler throws is answered as `{error}`. */
  serve<T>(
    subject: string,
    queue: string,
    schema: z.ZodType<T>,
    handler: Handler<T, unknown>,
  ): Promise<Consumption>;
  /**
   * Every event of one experiment from its first, then live, until the signal aborts. Survives reconnects.
   * `follow: false`: ends with the last one that is stored now.
   */
  readEvents(
    experimentId: string,
    options: { signal: AbortSignal; follow?: boolean },
  ): AsyncIterable<RangeEvent>;
  /**
   * Hands over every event of every experiment from now on, as it is published. One may come twice; those that are published while
   * the connection is lost do not come. Resolves when none is missed any more.
   */
  watchEvents(onEvent: (event: RangeEvent) => void): Promise<Consumption>;
  /** Submits an experiment and waits for the scheduler's answer. */
  submit(request: ExperimentRequestInput, options?: { timeoutMs?: number }): Promise<SubmitReply>;
  readonly deadLetters: DeadLetters;
  /** What waits in every stream of the product. Throws retryable `bus-unreachable`. */
  queues(): Promise<Queue[]>;
}
