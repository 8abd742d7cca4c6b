import { connect, createServer } from "node:net";
import { listen } from "../listen.ts";

/** An address of this machine that passes connections on, as a load balancer does. Disposing it closes it. */
export async function openDoor(
  from: { readonly host: string; readonly port: number },
  to: { readonly host: string; readonly port: number },
): Promise<AsyncDisposable> {
  const open = new Set<{ destroy(): void }>();
  const server = createServer((client) => {
    const other = connect(to);
    for (const socket of [client, other]) {
      open.add(socket);
      // The end of one side is the end of the other.
      socket
        .on("error", () => undefined)
        .on("close", () => {
          open.delete(socket);
          client.destroy();
          other.destroy();
        });
    }
    client.pipe(other).pipe(client);
  });
  await listen(server, from.host, from.port);
  return {
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy();
      await new Promise((closed) => server.close(closed));
    },
  };
}
