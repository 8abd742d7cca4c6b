import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

/** What a link does to what passes it. */
export type LinkState =
  | { readonly kind: "clear" }
  /** Connections are reset, and new ones refused. */
  | { readonly kind: "cut" }
  /** Nothing passes, and neither end is notified: a dead switch. */
  | { readonly kind: "silent" }
  /** Every chunk comes so much later, one after the other, ms. */
  | { readonly kind: "slow"; readonly delayMs: number };

/** A TCP proxy between one process and one server, to be cut, silenced and slowed. */
export interface TcpLink extends AsyncDisposable {
  readonly port: number;
  readonly state: LinkState;
  set(state: LinkState): void;
}

const checkEveryMs = 20;

export async function openTcpLink(targetPort: number): Promise<TcpLink> {
  const sockets = new Set<Socket>();
  const closing = new AbortController();
  let state: LinkState = { kind: "clear" };

  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => sockets.delete(socket));
    return socket.setNoDelay();
  };
  const passable = async (): Promise<void> => {
    if (state.kind === "slow") await delay(state.delayMs, undefined, { signal: closing.signal });
    while (state.kind === "silent") await delay(checkEveryMs, undefined, { signal: closing.signal });
  };
  const pump = async (from: Socket, to: Socket): Promise<void> => {
    try {
      for await (const chunk of from) {
        if (state.kind !== "clear") await passable();
        if (!to.write(chunk)) await once(to, "drain", { signal: closing.signal });
      }
      to.end();
    } catch {
      from.destroy();
      to.destroy();
    }
  };
  const server = createServer((client) => {
    keep(client);
    if (state.kind === "cut") return void client.destroy();
    const upstream = keep(connect({ host: "127.0.0.1", port: targetPort }));
    client.on("close", () => upstream.destroy());
    upstream.on("close", () => client.destroy());
    void pump(client, upstream);
    void pump(upstream, client);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return {
    port: address !== null && typeof address === "object" ? address.port : 0,
    get state() {
      return state;
    },
    set: (next) => {
      state = next;
      if (next.kind === "cut") for (const socket of sockets) socket.resetAndDestroy();
    },
    [Symbol.asyncDispose]: async () => {
      closing.abort();
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
