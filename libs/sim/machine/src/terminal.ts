import { type ByteQueue, createByteQueue } from "./byte-queue.ts";

/** Kept of what was printed before the first client attached, bytes. */
const mostEarly = 64 << 10;

type Listener = (stream: "stdout" | "stderr", chunk: Uint8Array | string) => void;

/** The open stdin of a container (`stdin: true`), and what its main process prints, for clients that attach. */
export interface Terminal {
  readonly tty: boolean;
  /** Whether stdin ends when the first client that attached to it has gone. */
  readonly once: boolean;
  /** What clients have typed and type, for the program that runs now. */
  readonly input: ByteQueue;
  /** Whether a client was ever attached: what it saw cannot be taken back. */
  readonly wasUsed: boolean;
  /** Starts with nothing typed. */
  renew(): void;
  print: Listener;
  /** Gives everything that is printed from now on, and to the first client what came before. Returns the way to stop. */
  attach(listener: Listener): () => void;
  /** The program has ended. */
  close(): void;
  readonly closed: Promise<void>;
}

/** `keep` makes the state part of the cluster's snapshots. */
export function createTerminal(
  { tty, once }: Pick<Terminal, "tty" | "once">,
  keep: <T extends object>(state: T) => T,
): Terminal {
  const state = keep({ wasUsed: false });
  const listeners = new Set<Listener>();
  const closed = Promise.withResolvers<void>();
  let input = createByteQueue();
  let early: Parameters<Listener>[] = [];
  let size = 0;
  return {
    tty,
    once,
    get input() {
      return input;
    },
    get wasUsed() {
      return state.wasUsed;
    },
    renew() {
      input = createByteQueue();
      early = [];
      size = 0;
    },
    print(stream, chunk) {
      for (const listener of listeners) listener(stream, chunk);
      if (state.wasUsed || size > mostEarly) return;
      early.push([stream, chunk]);
      size += chunk.length;
    },
    attach(listener) {
      state.wasUsed = true;
      for (const one of early.splice(0)) listener(...one);
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: () => closed.resolve(),
    closed: closed.promise,
  };
}
