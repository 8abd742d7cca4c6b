import { type ByteQueue, createByteQueue } from "@microremed/sim-machine";
import { dataFrame } from "./frames.ts";
import type { Headers } from "./header-block.ts";

export interface SpdyStream {
  readonly id: number;
  readonly headers: Headers;
  /** What the peer sends on it. */
  readonly input: ByteQueue;
  write(data: Uint8Array): void;
  /** Ends our side. */
  end(): void;
  /** Aborted when the stream can carry nothing any more: reset by the peer, or its connection ended. */
  readonly signal: AbortSignal;
}

const maxDataBytes = 32 * 1024;

interface StreamDeps {
  readonly id: number;
  readonly headers: Headers;
  readonly signal: AbortSignal;
  send(frame: Buffer): void;
  /** Input was read. */
  drained(): void;
  /** Our side has ended. */
  ended(): void;
}

/** One stream of a connection, over the frames that it sends. */
export function createSpdyStream({ id, headers, signal, send, drained, ended }: StreamDeps): SpdyStream {
  let writable = true;
  return {
    id,
    headers,
    signal,
    input: createByteQueue(drained),
    write(data) {
      for (let at = 0; writable && at < data.length; at += maxDataBytes) {
        send(dataFrame(id, data.subarray(at, at + maxDataBytes), false));
      }
    },
    end() {
      if (writable) send(dataFrame(id, new Uint8Array(), true));
      writable = false;
      ended();
    },
  };
}
