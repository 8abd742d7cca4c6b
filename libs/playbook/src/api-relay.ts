import { connect, type Server, type Socket } from "node:net";
import type { ApiEndpoint } from "./api-endpoint.ts";

const MAX_CONNECTIONS = 128;
const CONNECT_WITHIN_MS = 10_000;

/**
 * Carries every connection that arrives at a sandbox's listening socket to the API server and nowhere else.
 * Bytes pass as they are: TLS is between the client inside and the API server. Disposing ends all connections.
 */
export function relayToApi(server: Server, { host, port }: Pick<ApiEndpoint, "host" | "port">): Disposable {
  const open = new Set<Socket>();
  server.maxConnections = MAX_CONNECTIONS;
  server.on("error", () => server.close());
  server.on("connection", (inside) => {
    const outside = connect({ host, port, noDelay: true });
    outside.setTimeout(CONNECT_WITHIN_MS, () => outside.destroy());
    outside.once("connect", () => outside.setTimeout(0));
    for (const [socket, other] of [
      [inside, outside],
      [outside, inside],
    ] as const) {
      open.add(socket);
      // What goes wrong on one side is seen as an end on the other, after all that was sent before.
      socket.on("error", () => {});
      socket.once("close", () => {
        open.delete(socket);
        other.end();
      });
      socket.pipe(other);
    }
  });
  return {
    [Symbol.dispose]() {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}
