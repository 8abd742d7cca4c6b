/** Bytes that arrive by pushing and are read by iterating: a stream's stdin. */
export interface ByteQueue extends AsyncIterable<Uint8Array> {
  push(chunk: Uint8Array): void;
  end(): void;
  /** Unread bytes. */
  readonly pending: number;
}

/** `onRead` is called after each chunk that the reader takes. */
export function createByteQueue(onRead: () => void = () => {}): ByteQueue {
  const chunks: Uint8Array[] = [];
  let pending = 0;
  let ended = false;
  let wake: (() => void) | undefined;
  const notify = (): void => {
    wake?.();
    wake = undefined;
  };
  return {
    push(chunk) {
      if (ended || chunk.length === 0) return;
      chunks.push(chunk);
      pending += chunk.length;
      notify();
    },
    end() {
      ended = true;
      notify();
    },
    get pending() {
      return pending;
    },
    async *[Symbol.asyncIterator]() {
      for (;;) {
        const chunk = chunks.shift();
        if (chunk) {
          pending -= chunk.length;
          onRead();
          yield chunk;
        } else if (ended) return;
        else {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
      }
    },
  };
}
