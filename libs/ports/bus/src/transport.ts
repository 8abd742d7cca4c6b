import type { Slots } from "@microremed/core";
import type { StreamOptions } from "./bus.ts";
import type { Queue } from "./queue.ts";
import type { Timers } from "./timers.ts";

/** A message's headers; those of one that arrived have names in lower case. */
export type Headers = Readonly<Record<string, string>>;

/** A message for a stream. */
export interface NewMessage {
  readonly subject: string;
  readonly text: string;
  readonly headers: Headers;
  /** Two of one id within the stream's window are stored once. */
  readonly msgId?: string;
}

/** A message as stored in its stream. */
export interface StoredMessage {
  readonly subject: string;
  readonly headers: Headers;
  readonly data: Uint8Array;
  /** Its number in the stream, from 1. */
  readonly seq: number;
  /** ms since the epoch. */
  readonly storedAtMs: number;
}

/** One delivery of a stored message to a consumer, and the ways to settle it. */
export interface Delivery {
  readonly subject: string;
  readonly headers: Headers;
  readonly data: Uint8Array;
  readonly stream: string;
  readonly seq: number;
  /** When it was stored, ns since the epoch, as text: a number would not hold it. */
  readonly storedAt: string;
  /** Which delivery this is, counted from 1. */
  readonly count: number;
  ack(): Promise<void>;
  nak(delayMs: number): void;
  /** Prolongs the time in which it must be settled. */
  working(): void;
  term(): void;
}

/** A durable consumer of one filter of a stream; all replicas share it. */
export interface ConsumerSpec {
  readonly stream: string;
  readonly name: string;
  readonly subject: string;
  /** What is not settled and not extended for so long is delivered again. */
  readonly ackWaitMs: number;
  /** Deliveries that may wait to be settled at once, of all replicas together. */
  readonly maxInFlight: number;
}

/** How one process takes the messages of a consumer. */
export interface PullOptions {
  /** One is taken for every message and given back when it is handled. */
  readonly slots: Slots;
  /** Most messages that are asked for beyond those that are being handled. */
  readonly most: number;
  readonly stopping: AbortSignal;
  /** Never throws. */
  readonly handle: (message: Delivery) => Promise<void>;
}

/** A message that is not stored: a request, or an answer to one. */
export interface Incoming {
  readonly subject: string;
  readonly headers: Headers;
  readonly data: Uint8Array;
  /** Where its answer goes; empty when none is wanted. */
  readonly replyTo: string;
  respond(text: string, headers: Headers): void;
}

export interface Subscription {
  /** Resolves when the server has it, so that no message from now on is missed. */
  begun(): Promise<void>;
  /** Resolves when it is over; rejects when the server refuses it. */
  readonly ended: Promise<void>;
  /** Lets in what is under way, then ends it. */
  drain(): Promise<void>;
  unsubscribe(): void;
}

/**
 * What a driver of the bus provides: bytes from here to there. All that does not depend on how they travel (schemas,
 * traces, handlers and what becomes of their messages, dead letters) is above it, once for all drivers.
 * What fails is thrown as it comes; `createBus` says what was being done.
 */
export interface Transport {
  readonly connected: boolean;
  /** Bytes of a body and its headers at most. */
  readonly maxBytes: number;
  readonly timers: Timers;
  /** Returns once connected. Throws retryable `bus-unreachable` after `timeoutMs`. */
  whenConnected(timeoutMs: number): Promise<void>;
  ensureStreams(options: StreamOptions): Promise<void>;
  /** Returns once the stream that takes the subject has the message. */
  store(message: NewMessage): Promise<void>;
  /** Creates the consumer or brings it up to date. */
  ensureConsumer(consumer: ConsumerSpec): Promise<void>;
  /** Hands over a consumer's messages until `stopping` is aborted, whatever fails meanwhile. */
  pull(consumer: ConsumerSpec, options: PullOptions): Promise<void>;
  /** What a stream has of a filter, in order; with `follow` also what comes, until the signal aborts. */
  read(
    stream: string,
    filter: string,
    options: { readonly signal: AbortSignal; readonly follow: boolean },
  ): AsyncIterable<StoredMessage>;
  get(stream: string, seq: number): Promise<StoredMessage | undefined>;
  /** False: there was none of that number. */
  delete(stream: string, seq: number): Promise<boolean>;
  /** Subjects of a stream that hold messages, of those that match the filter. */
  waitingSubjects(stream: string, filter: string): Promise<string[]>;
  queues(): Promise<Queue[]>;
  /** Sends a message that is not stored. */
  post(subject: string, text: string): void;
  /** Sends a request and returns its first answer. Throws when the subject has no server, and after `timeoutMs`. */
  request(
    subject: string,
    text: string,
    options: { readonly headers: Headers; readonly timeoutMs: number },
  ): Promise<Pick<Incoming, "headers" | "data">>;
  /** Messages that are not stored; subscriptions of one queue share them. */
  subscribe(subject: string, queue: string | undefined, onMessage: (message: Incoming) => void): Subscription;
  /** A subject of this connection's own, for answers. */
  createInbox(): string;
  close(): Promise<void>;
}
