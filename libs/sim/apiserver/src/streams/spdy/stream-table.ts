import type { SpdyStream } from "./spdy-stream.ts";

interface OpenStream {
  readonly stream: SpdyStream;
  readonly gone: AbortController;
  /** The peer sends no more. */
  halfClosed: boolean;
}

/** The open streams of one connection. */
export interface StreamTable {
  readonly size: number;
  /** The first stream of this `streamtype`, when it comes. */
  promised(type: string): PromiseWithResolvers<SpdyStream>;
  add(stream: SpdyStream, gone: AbortController): void;
  get(id: number): OpenStream | undefined;
  /** It can carry nothing any more. */
  drop(id: number): void;
  /** The peer sends no more on it. */
  halfClose(id: number): void;
  /** Input that waits for its readers, bytes. */
  pendingBytes(): number;
  /** Drops all, and refuses those that are still awaited. */
  end(error: Error): void;
}

export function createStreamTable(): StreamTable {
  const streams = new Map<number, OpenStream>();
  const waiting = new Map<string, PromiseWithResolvers<SpdyStream>>();

  function drop(id: number): void {
    const entry = streams.get(id);
    streams.delete(id);
    entry?.stream.input.end();
    entry?.gone.abort();
  }

  return {
    get size() {
      return streams.size;
    },
    promised(type) {
      let entry = waiting.get(type);
      if (!entry) {
        entry = Promise.withResolvers<SpdyStream>();
        entry.promise.catch(() => {});
        waiting.set(type, entry);
      }
      return entry;
    },
    add(stream, gone) {
      streams.set(stream.id, { stream, gone, halfClosed: false });
    },
    get: (id) => streams.get(id),
    drop,
    halfClose(id) {
      const entry = streams.get(id);
      if (!entry) return;
      entry.halfClosed = true;
      entry.stream.input.end();
    },
    pendingBytes: () => [...streams.values()].reduce((sum, { stream }) => sum + stream.input.pending, 0),
    end(error) {
      for (const id of [...streams.keys()]) drop(id);
      for (const entry of waiting.values()) entry.reject(error);
    },
  };
}
