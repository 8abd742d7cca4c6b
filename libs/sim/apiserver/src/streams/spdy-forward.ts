import type { Duplex } from "node:stream";
import type { Tunnel } from "./run-forward.ts";
import { createSpdyConnection } from "./spdy/connection.ts";
import type { SpdyStream } from "./spdy/spdy-stream.ts";

const forwardProtocol = "portforward.k8s.io";

function tunnelOf(error: SpdyStream, data: SpdyStream): Tunnel {
  return {
    port: Number(data.headers.get("port")),
    input: data.input,
    output: (chunk) => data.write(chunk),
    fail: (why) => error.write(Buffer.from(why)),
    end() {
      error.end();
      data.end();
    },
    signal: data.signal,
  };
}

/** Speaks SPDY on an upgraded connection: each pair of an error and a data stream with one request id is a tunnel. */
export function acceptSpdyTunnels(socket: Duplex, head: Buffer, accept: (tunnel: Tunnel) => void): void {
  const halves = new Map<string, Map<string, SpdyStream>>();
  createSpdyConnection(socket, head, (stream) => {
    const type = stream.headers.get("streamtype") ?? "";
    const port = Number(stream.headers.get("port"));
    if ((type !== "error" && type !== "data") || !(port >= 1 && port <= 65_535)) return stream.end();
    // Old clients send no request id: their error streams precede their data streams.
    const id = stream.headers.get("requestid") ?? String(type === "error" ? stream.id : stream.id - 2);
    const pair = halves.get(id) ?? new Map<string, SpdyStream>();
    pair.set(type, stream);
    const error = pair.get("error");
    const data = pair.get("data");
    if (!error || !data) {
      halves.set(id, pair);
      stream.signal.addEventListener("abort", () => halves.delete(id), { once: true });
      return;
    }
    halves.delete(id);
    accept(tunnelOf(error, data));
  });
}

/** Upgrades a socket to SPDY for port-forwarding. */
export function openSpdyTunnels(socket: Duplex, head: Buffer, accept: (tunnel: Tunnel) => void): void {
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\nX-Stream-Protocol-Version: ${forwardProtocol}\r\n\r\n`,
  );
  acceptSpdyTunnels(socket, head, accept);
}
