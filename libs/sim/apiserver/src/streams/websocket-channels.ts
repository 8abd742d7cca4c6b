import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { createByteQueue } from "@microremed/sim-machine";
import { type WebSocket, WebSocketServer } from "ws";
import type { ApiRequest } from "../http/exchange.types.ts";
import { mostSentAhead } from "./bytes/sent-ahead.ts";
import { asBytes, type ExecChannels, type ExecStreams } from "./exec-channels.ts";

const channels = { stdin: 0, stdout: 1, stderr: 2, error: 3, resize: 4, close: 255 } as const;
const protocols = ["v5.channel.k8s.io", "v4.channel.k8s.io"];
const maxMessageBytes = 32 * 1024 * 1024;
const maxPendingBytes = 4 * 1024 * 1024;

/** How long a client has to answer the end of a stream, ms. */
const farewellMs = 250;

/** How often it is checked whether a client has read on, ms. */
const drainPollMs = 2;

/** A peer that leaves this much unread is cut off. */
const maxUnreadBytes = 64 * 1024 * 1024;

/** Upgrades to WebSockets of the channel protocol. */
export function createChannelServer(): WebSocketServer {
  return new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: maxMessageBytes,
    handleProtocols: (offered) => protocols.find((name) => offered.has(name)) ?? false,
  });
}

const server = createChannelServer();

/** Whether the client offers a channel protocol that is spoken here. */
export function offersChannels(request: ApiRequest): boolean {
  const offered = (request.headers["sec-websocket-protocol"] ?? "").split(",").map((name) => name.trim());
  return protocols.some((name) => offered.includes(name));
}

/** A message's bytes, however `ws` delivered them. */
export function toBuffer(data: unknown): Buffer {
  if (Buffer.isBuffer(data)) return data;
  return Array.isArray(data) ? Buffer.concat(data as Buffer[]) : Buffer.from(data as ArrayBuffer);
}

function connect(socket: WebSocket, streams: ExecStreams): ExecChannels {
  const gone = new AbortController();
  const stdin = createByteQueue(() => {
    if (socket.isPaused && stdin.pending <= maxPendingBytes) socket.resume();
  });
  const send = (channel: number | undefined, data: Uint8Array): void => {
    if (channel !== undefined && data.length > 0 && socket.readyState === socket.OPEN) {
      socket.send(Buffer.concat([Buffer.from([channel]), data]), { binary: true });
      if (socket.bufferedAmount > maxUnreadBytes) socket.terminate();
    }
  };
  socket.on("message", (data) => {
    const bytes = toBuffer(data);
    const channel = bytes[0];
    if (channel === channels.stdin) stdin.push(bytes.subarray(1));
    // v5: the client has closed one of its channels.
    if (channel === channels.close && bytes[1] === channels.stdin) stdin.end();
    if (stdin.pending > maxPendingBytes) socket.pause();
  });
  const end = (): void => {
    stdin.end();
    gone.abort();
  };
  socket.on("close", end);
  socket.on("error", end);
  /** As the real server: the connection goes soon after the last word, whether or not the client says goodbye. */
  const letGo = (): void => {
    const later = setTimeout(() => {
      if (socket.readyState === socket.CLOSED) return;
      if (socket.bufferedAmount > 0) letGo();
      else socket.terminate();
    }, farewellMs);
    later.unref();
  };
  // Clients refuse channels that they did not ask for; with a terminal there is one output only.
  const output = streams.stdout ? channels.stdout : undefined;
  const errors = streams.tty ? output : streams.stderr ? channels.stderr : undefined;
  return {
    stdin: streams.stdin ? stdin : undefined,
    stdout: (chunk) => send(output, asBytes(chunk)),
    stderr: (chunk) => send(errors, asBytes(chunk)),
    async drained() {
      while (socket.readyState === socket.OPEN && socket.bufferedAmount > mostSentAhead)
        await pause(drainPollMs);
    },
    finish(status) {
      send(channels.error, Buffer.from(JSON.stringify(status)));
      socket.close(1000);
      letGo();
    },
    signal: gone.signal,
  };
}

/** Upgrades to a WebSocket that carries the streams as channels (v4 or v5 of the channel protocol). */
export function openWebSocketChannels(
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  streams: ExecStreams,
): Promise<ExecChannels> {
  return new Promise((resolve) => {
    server.handleUpgrade(request, socket, head, (webSocket) => resolve(connect(webSocket, streams)));
  });
}
