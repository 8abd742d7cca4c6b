import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { createByteQueue } from "@microremed/sim-machine";
import { createWebSocketStream, WebSocketServer } from "ws";
import type { Tunnel } from "./run-forward.ts";
import { acceptSpdyTunnels } from "./spdy-forward.ts";
import { createChannelServer, toBuffer } from "./websocket-channels.ts";

/** What kubectl 1.31 and later speak: SPDY frames inside binary messages. */
export const spdyInWebSocket = "SPDY/3.1+portforward.k8s.io";

const maxMessageBytes = 32 * 1024 * 1024;
const maxPendingBytes = 4 * 1024 * 1024;
const maxUnreadBytes = 64 * 1024 * 1024;

const tunnelServer = new WebSocketServer({
  noServer: true,
  perMessageDeflate: false,
  maxPayload: maxMessageBytes,
});
tunnelServer.on("headers", (headers) => headers.push(`Sec-WebSocket-Protocol: ${spdyInWebSocket}`));

/** Upgrades to a WebSocket that carries a SPDY connection. */
export function openSpdyInWebSocket(
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  accept: (tunnel: Tunnel) => void,
): void {
  // `ws` takes no slash in a protocol's name, so it neither sees nor answers this one.
  delete request.headers["sec-websocket-protocol"];
  tunnelServer.handleUpgrade(request, socket, head, (webSocket) => {
    const carrier = createWebSocketStream(webSocket);
    carrier.on("error", () => webSocket.terminate());
    acceptSpdyTunnels(carrier, Buffer.alloc(0), accept);
  });
}

const channelServer = createChannelServer();

/** Little-endian, as the first message of each channel carries it. */
function portBytes(port: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(port);
  return bytes;
}

/** Upgrades to a WebSocket with a data (2i) and an error channel (2i+1) for the i-th port. */
export function openWebSocketTunnels(
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  ports: readonly number[],
  accept: (tunnel: Tunnel) => void,
): void {
  channelServer.handleUpgrade(request, socket, head, (webSocket) => {
    const gone = new AbortController();
    const pending = (): number => inputs.reduce((sum, input) => sum + input.pending, 0);
    const inputs = ports.map(() =>
      createByteQueue(() => {
        if (webSocket.isPaused && pending() <= maxPendingBytes) webSocket.resume();
      }),
    );
    const send = (channel: number, data: Uint8Array): void => {
      if (webSocket.readyState !== webSocket.OPEN) return;
      webSocket.send(Buffer.concat([Buffer.from([channel]), data]), { binary: true });
      if (webSocket.bufferedAmount > maxUnreadBytes) webSocket.terminate();
    };
    webSocket.on("message", (message) => {
      const bytes = toBuffer(message);
      const [channel = 0] = bytes;
      if (channel % 2 === 0) inputs[channel / 2]?.push(bytes.subarray(1));
      if (pending() > maxPendingBytes) webSocket.pause();
    });
    const end = (): void => {
      for (const input of inputs) input.end();
      gone.abort();
    };
    webSocket.on("close", end);
    webSocket.on("error", end);
    let open = ports.length;
    for (const [index, port] of ports.entries()) {
      send(2 * index, portBytes(port));
      send(2 * index + 1, portBytes(port));
    }
    for (const [index, input] of inputs.entries()) {
      accept({
        port: ports[index] ?? 0,
        input,
        output: (chunk) => send(2 * index, chunk),
        fail: (why) => send(2 * index + 1, Buffer.from(why)),
        end() {
          open -= 1;
          if (open === 0) webSocket.close(1000);
        },
        signal: gone.signal,
      });
    }
  });
}
