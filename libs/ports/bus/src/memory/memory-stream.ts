import type { StreamSpec } from "@microremed/contracts";
import { duplicateWindowMs } from "../duplicate-window.ts";
import type { Timers } from "../timers.ts";
import type { Headers, StoredMessage } from "../transport.ts";

/** A message for a stream, in bytes. */
export interface Arrival {
  readonly subject: string;
  readonly data: Uint8Array;
  readonly headers: Headers;
  readonly msgId?: string | undefined;
}

/** One stream with the rules of JetStream: numbers, ids, bounds. */
export interface MemoryStream {
  readonly spec: StreamSpec;
  readonly messages: number;
  readonly bytes: number;
  readonly limitBytes: number;
  /** The number of the message that came last. */
  readonly lastSeq: number;
  /** Throws when a full work queue refuses; a full log forgets its oldest instead. */
  append(arrival: Arrival): void;
  get(seq: number): StoredMessage | undefined;
  remove(seq: number): boolean;
  /** Oldest first. */
  all(): Iterable<StoredMessage>;
  /** Hears of every message that comes or goes, until the returned function is called. */
  watch(watcher: StreamWatcher): () => void;
}

export interface StreamWatcher {
  added?(message: StoredMessage): void;
  removed?(seq: number): void;
}

/** `mostBytes` bounds the stream further than its specification does. */
export function createMemoryStream(spec: StreamSpec, timers: Timers, mostBytes: number): MemoryStream {
  const limitBytes = Math.min(mostBytes, spec.maxBytes < 0 ? Number.POSITIVE_INFINITY : spec.maxBytes);
  const stored = new Map<number, StoredMessage>();
  const watchers = new Set<StreamWatcher>();
  const isKnown = createDuplicateWindow(timers);
  let bytes = 0;
  let lastSeq = 0;

  const remove = (seq: number): boolean => {
    const message = stored.get(seq);
    if (!message) return false;
    stored.delete(seq);
    bytes -= bytesOf(message);
    for (const watcher of watchers) watcher.removed?.(seq);
    return true;
  };
  const forgetOld = (): void => {
    if (spec.maxAge === 0) return;
    const since = timers.now() - spec.maxAge / 1e6;
    for (const { seq, storedAtMs } of stored.values()) {
      if (storedAtMs >= since) return;
      remove(seq);
    }
  };
  const makeRoom = (needed: number): void => {
    if (bytes + needed <= limitBytes) return;
    if (spec.retention === "workqueue" || needed > limitBytes) throw new Error("maximum bytes exceeded");
    for (const seq of stored.keys()) {
      remove(seq);
      if (bytes + needed <= limitBytes) return;
    }
  };

  return {
    spec,
    limitBytes,
    get messages() {
      return stored.size;
    },
    get bytes() {
      return bytes;
    },
    get lastSeq() {
      return lastSeq;
    },
    append: ({ msgId, ...arrival }) => {
      if (msgId !== undefined && isKnown.has(msgId)) return;
      forgetOld();
      makeRoom(bytesOf(arrival));
      if (msgId !== undefined) isKnown.add(msgId);
      const message = { ...arrival, seq: ++lastSeq, storedAtMs: timers.now() };
      stored.set(message.seq, message);
      bytes += bytesOf(message);
      for (const watcher of watchers) watcher.added?.(message);
    },
    get: (seq) => stored.get(seq),
    remove,
    all: () => stored.values(),
    watch: (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
  };
}

interface DuplicateWindow {
  has(id: string): boolean;
  add(id: string): void;
}

/** The ids of the last ten minutes, in the order of their coming. */
function createDuplicateWindow(timers: Timers): DuplicateWindow {
  const seenAt = new Map<string, number>();
  return {
    has: (id) => {
      const since = timers.now() - duplicateWindowMs;
      for (const [old, at] of seenAt) {
        if (at > since) break;
        seenAt.delete(old);
      }
      return seenAt.has(id);
    },
    add: (id) => void seenAt.set(id, timers.now()),
  };
}

function bytesOf({ subject, data, headers }: Arrival): number {
  let bytes = subject.length + data.length;
  for (const [name, value] of Object.entries(headers)) bytes += name.length + value.length;
  return bytes;
}
