import type { Duplex } from "node:stream";
import { mostSentAhead } from "../bytes/sent-ahead.ts";
import { controlFrame, createFrameReader, type Frame, flagFin, frameTypes, numbers } from "./frames.ts";
import { createHeaderCodec } from "./header-block.ts";
import { createSpdyStream, type SpdyStream } from "./spdy-stream.ts";
import { createStreamTable } from "./stream-table.ts";

export interface SpdyConnection {
  /** The first stream that the peer opens with this `streamtype`. Rejects when the connection ends before. */
  stream(type: string): Promise<SpdyStream>;
  /** Resolves when the peer has taken most of what was sent, or the connection has ended. */
  drained(): Promise<void>;
  /** Resolves when the connection has ended. */
  readonly closed: Promise<void>;
  close(): void;
}

/** Open at once; a port-forward holds two for each connection that it carries. */
const maxStreams = 512;
/** The socket is not read while this much input waits for its reader. */
const maxPendingBytes = 4 * 1024 * 1024;
/** A peer that leaves this much unread is cut off. */
const maxUnreadBytes = 64 * 1024 * 1024;
const refusedStream = 3;

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
  const streams = createStreamTable();
  const ended = Promise.withResolvers<void>();
  let work: Promise<void> = Promise.resolve();
  let open = true;

  function send(frame: Buffer): void {
    if (!open) return;
    socket.write(frame);
    if (socket.writableLength > maxUnreadBytes) finish();
  }

  function finish(): void {
    if (!open) return;
    open = false;
    streams.end(new Error("the client closed the connection"));
    socket.destroy();
    void work.finally(() => codec.close());
    ended.resolve();
  }

  async function onSynStream(body: Buffer, flags: number): Promise<void> {
    const id = body.readUInt32BE(0) & 0x7fffffff;
    // The block is read even for a refused stream: both sides' compression must go on alike.
    const headers = await codec.decode(body.subarray(10));
    if (streams.size >= maxStreams)
      return send(controlFrame(frameTypes.rstStream, numbers(id, refusedStream)));
    const gone = new AbortController();
    const stream = createSpdyStream({
      id,
      headers,
      signal: gone.signal,
      send,
      drained() {
        if (socket.isPaused() && streams.pendingBytes() <= maxPendingBytes) socket.resume();
      },
      ended() {
        if (streams.get(id)?.halfClosed) streams.drop(id);
      },
    });
    streams.add(stream, gone);
    const block = await codec.encode(new Map());
    send(controlFrame(frameTypes.synReply, Buffer.concat([numbers(id), block])));
    if (flags & flagFin) streams.halfClose(id);
    streams.promised(headers.get("streamtype") ?? "").resolve(stream);
    onStream(stream);
  }

  function onData(id: number, data: Buffer, fin: boolean): void {
    streams.get(id)?.stream.input.push(data);
    if (data.length > 0) {
      send(controlFrame(frameTypes.windowUpdate, numbers(id, data.length)));
      send(controlFrame(frameTypes.windowUpdate, numbers(0, data.length)));
    }
    if (fin) streams.halfClose(id);
    if (streams.pendingBytes() > maxPendingBytes) socket.pause();
  }

  async function onFrame(frame: Frame): Promise<void> {
    if (frame.kind === "data") return onData(frame.streamId, frame.data, frame.fin);
    if (frame.type === frameTypes.synStream) return onSynStream(frame.body, frame.flags);
    if (frame.type === frameTypes.ping) return send(controlFrame(frameTypes.ping, frame.body));
    if (frame.type === frameTypes.goAway) return finish();
    if (frame.type === frameTypes.rstStream) streams.drop(frame.body.readUInt32BE(0) & 0x7fffffff);
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
    stream: (type) => streams.promised(type).promise,
    async drained() {
      if (!open || socket.writableLength <= mostSentAhead) return;
      await Promise.race([ended.promise, new Promise((resolve) => socket.once("drain", resolve))]);
    },
    closed: ended.promise,
    close() {
      if (open) socket.write(controlFrame(frameTypes.goAway, numbers(0, 0)), finish);
    },
  };
}
