import type { Timers } from "../timers.ts";
import type { ConsumerSpec, StoredMessage } from "../transport.ts";
import { takes } from "./filters.ts";
import type { MemoryStream } from "./memory-stream.ts";

/** A message that was delivered and is not settled. */
interface Unsettled {
  count: number;
  /** With a handler, and not waiting for its next delivery. */
  isHeld: boolean;
  /** Ends the wait for its settling, or for its next delivery. */
  cancel: () => void;
}

/** A delivery to be handed to a handler. */
export interface Handed {
  readonly message: StoredMessage;
  readonly count: number;
}

/** A durable consumer as JetStream keeps it: what is ready, what is out, what comes again. */
export interface MemoryConsumer {
  spec: ConsumerSpec;
  readonly waiting: number;
  readonly deliveries: number;
  readonly unacknowledged: number;
  /** Whether the consumer runs and has a message to deliver, or one whose deadline has passed. */
  readonly isBusy: boolean;
  /** The next message to be handled, counted as delivered; undefined: none may be now. */
  take(): Handed | undefined;
  ack(seq: number): void;
  nak(seq: number, delayMs: number): void;
  working(seq: number): void;
  /** Calls the listener, in a turn of its own, when there may be a message to take; returns the way to end that. */
  onReady(listener: () => void): () => void;
}

export function createMemoryConsumer(
  stream: MemoryStream,
  spec: ConsumerSpec,
  timers: Timers,
): MemoryConsumer {
  const fresh = new Set<number>();
  const again = new Set<number>();
  const unsettled = new Map<number, Unsettled>();
  const listeners = new Set<() => void>();
  let deliveries = 0;
  let isWaking = false;

  const hasNext = (): boolean =>
    again.size > 0 || (fresh.size > 0 && unsettled.size < consumer.spec.maxInFlight);
  const wake = (): void => {
    if (isWaking) return;
    isWaking = true;
    setImmediate(() => {
      isWaking = false;
      for (const listener of [...listeners]) listener();
    });
  };
  const redeliver = (seq: number, entry: Unsettled): void => {
    entry.isHeld = false;
    again.add(seq);
    wake();
  };
  const settle = (seq: number): void => {
    unsettled.get(seq)?.cancel();
    unsettled.delete(seq);
    again.delete(seq);
    fresh.delete(seq);
    wake();
  };
  const awaitSettling = (seq: number, entry: Unsettled): void => {
    entry.cancel = timers.after(consumer.spec.ackWaitMs, () => redeliver(seq, entry));
  };
  const add = ({ seq, subject }: StoredMessage): void => {
    if (!takes(spec.subject, subject)) return;
    fresh.add(seq);
    wake();
  };

  const consumer: MemoryConsumer = {
    spec,
    get waiting() {
      return fresh.size;
    },
    get deliveries() {
      return deliveries;
    },
    get unacknowledged() {
      return unsettled.size;
    },
    get isBusy() {
      const isAwaited = listeners.size > 0 && hasNext();
      return isAwaited || [...unsettled.values()].some(({ isHeld }) => isHeld);
    },
    take: () => {
      const [seq] = hasNext() ? (again.size > 0 ? again : fresh) : [];
      const message = seq === undefined ? undefined : stream.get(seq);
      if (seq === undefined || message === undefined) return undefined;
      again.delete(seq);
      fresh.delete(seq);
      const entry = unsettled.get(seq) ?? { count: 0, isHeld: true, cancel: () => {} };
      unsettled.set(seq, entry);
      entry.isHeld = true;
      entry.count++;
      deliveries++;
      awaitSettling(seq, entry);
      return { message, count: entry.count };
    },
    ack: (seq) => {
      if (!unsettled.has(seq)) return;
      settle(seq);
      if (stream.spec.retention === "workqueue") stream.remove(seq);
    },
    nak: (seq, delayMs) => {
      const entry = unsettled.get(seq);
      if (!entry?.isHeld) return;
      entry.cancel();
      entry.isHeld = false;
      if (delayMs > 0) entry.cancel = timers.after(delayMs, () => redeliver(seq, entry));
      else redeliver(seq, entry);
    },
    working: (seq) => {
      const entry = unsettled.get(seq);
      if (!entry?.isHeld) return;
      entry.cancel();
      awaitSettling(seq, entry);
    },
    onReady: (listener) => {
      listeners.add(listener);
      wake();
      return () => listeners.delete(listener);
    },
  };
  for (const message of stream.all()) add(message);
  stream.watch({ added: add, removed: settle });
  return consumer;
}
