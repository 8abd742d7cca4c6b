import type { Duplex } from "node:stream";
import { type ByteQueue, createByteQueue } from "../bytes/byte-queue.ts";
import {
  controlFrame,
  createFrameReader,
  dataFrame,
  type Frame,
  flagFin,
  frameTypes,
  numbers,
} from "./frames.ts";
import { createHeaderCodec, type Headers } from "./header-block.ts";

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

export interface SpdyConnection {
  /** The first stream that the peer opens with this `streamtype`. Rejects when the connection ends before. */
  stream(type: string): Promise<SpdyStream>;
  /** Resolves when the connection has ended. */
  readonly closed: Promise<void>;
  close(): void;
}

/** Open at once; a port-forward holds two for each connection that it carries. */
const maxStreams = 512;
const maxDataBytes = 32 * 1024;
/** The socket is not read while this much input waits for its reader. */
const maxPendingBytes = 4 * 1024 * 1024;
/** A peer that leaves this much unread is cut off. */
const maxUnreadBytes = 64 * 1024 * 1024;
const refusedStream = 3;

interface OpenStream {
  readonly stream: SpdyStream;
  readonly gone: AbortController;
  /** The peer sends no more. */
  halfClosed: boolean;
}

/**
 * The server's side of a SPDY/3.1 connection on an upgraded socket, as far as Kubernetes' clients use it. `onStream`
 * hears of every stream that the peer opens.
 */
export function createSpdyConnection(
  socket: Duplex,
  head: Buffer,
  onStream: (stream: SpdyStream) => void = () => {},
): SpdyConnection {
  const codec = createHeaderCodec();
  const read = createFrameReader();
  const streams = new Map<number, OpenStream>();
  const waiting = new Map<string, PromiseWithResolvers<SpdyStream>>();
  const ended = Promise.withResolvers<void>();
  let work: Promise<void> = Promise.resolve();
  let open = true;

  function promised(type: string): PromiseWithResolvers<SpdyStream> {
    let entry = waiting.get(type);
    if (!entry) {
      entry = Promise.withResolvers<SpdyStream>();
      entry.promise.catch(() => {});
      waiting.set(type, entry);
    }
    return entry;
  }

  function send(frame: Buffer): void {
    if (!open) return;
    socket.write(frame);
    if (socket.writableLength > maxUnreadBytes) finish();
  }

  function finish(): void {
    if (!open) return;
    open = false;
    for (const id of [...streams.keys()]) drop(id);
    for (const entry of waiting.values()) entry.reject(new Error("the client closed the connection"));
    socket.destroy();
    void work.finally(() => codec.close());
    ended.resolve();
  }

  function pendingBytes(): number {
    return [...streams.values()].reduce((sum, { stream }) => sum + stream.input.pending, 0);
  }

  function drop(id: number): void {
    const entry = streams.get(id);
    streams.delete(id);
    entry?.stream.input.end();
    entry?.gone.abort();
  }

  function halfClose(id: number): void {
    const entry = streams.get(id);
    if (!entry) return;
    entry.halfClosed = true;
    entry.stream.input.end();
  }

  function createStream(id: number, headers: Headers, signal: AbortSignal): SpdyStream {
    let writable = true;
    return {
      id,
      headers,
      signal,
      input: createByteQueue(() => {
        if (socket.isPaused() && pendingBytes() <= maxPendingBytes) socket.resume();
      }),
      write(data) {
        for (let at = 0; writable && at < data.length; at += maxDataBytes) {
          send(dataFrame(id, data.subarray(at, at + maxDataBytes), false));
        }
      },
      end() {
        if (writable) send(dataFrame(id, new Uint8Array(), true));
        writable = false;
        if (streams.get(id)?.halfClosed) drop(id);
      },
    };
  }

  async function onSynStream(body: Buffer, flags: number): Promise<void> {
    const id = body.readUInt32BE(0) & 0x7fffffff;
    // The block is read even for a refused stream: both sides' compression must go on alike.
    const headers = await codec.decode(body.subarray(10));
    if (streams.size >= maxStreams)
      return send(controlFrame(frameTypes.rstStream, numbers(id, refusedStream)));
    const gone = new AbortController();
    const stream = createStream(id, headers, gone.signal);
    streams.set(id, { stream, gone, halfClosed: false });
    const block = await codec.encode(new Map());
    send(controlFrame(frameTypes.synReply, Buffer.concat([numbers(id), block])));
    if (flags & flagFin) halfClose(id);
    promised(headers.get("streamtype") ?? "").resolve(stream);
    onStream(stream);
  }

  function onData(id: number, data: Buffer, fin: boolean): void {
    streams.get(id)?.stream.input.push(data);
    if (data.length > 0) {
      send(controlFrame(frameTypes.windowUpdate, numbers(id, data.length)));
      send(controlFrame(frameTypes.windowUpdate, numbers(0, data.length)));
    }
    if (fin) halfClose(id);
    if (pendingBytes() > maxPendingBytes) socket.pause();
  }

  async function onFrame(frame: Frame): Promise<void> {
    if (frame.kind === "data") return onData(frame.streamId, frame.data, frame.fin);
    if (frame.type === frameTypes.synStream) return onSynStream(frame.body, frame.flags);
    if (frame.type === frameTypes.ping) return send(controlFrame(frameTypes.ping, frame.body));
    if (frame.type === frameTypes.goAway) return finish();
    if (frame.type === frameTypes.rstStream) drop(frame.body.readUInt32BE(0) & 0x7fffffff);
  }

  function onBytes(chunk: Buffer): void {
    work = work
      .then(async () => {
        for (const frame of read(chunk)) await onFrame(frame);
      })
      .catch(finish);
  }

  socket.on("data", onBytes);
  socket.on("end", finish);
  socket.on("close", finish);
  socket.on("error", finish);
  if (head.length > 0) onBytes(head);

  return {
    stream: (type) => promised(type).promise,
    closed: ended.promise,
    close() {
      if (open) socket.write(controlFrame(frameTypes.goAway, numbers(0, 0)), finish);
    },
  };
}
