import { createServer } from "node:net";
import { listen } from "../listen.ts";

/** A server that counts its visitors. Disposing it closes it. */
export interface Canary extends AsyncDisposable {
  readonly port: number;
  visits(): number;
}

/** Listens on a free port of an address of this machine. */
export async function startCanary(host: string): Promise<Canary> {
  let visits = 0;
  const server = createServer((socket) => {
    visits += 1;
    socket.destroy();
  });
  return {
    port: await listen(server, host),
    visits: () => visits,
    [Symbol.asyncDispose]: () => new Promise((closed) => server.close(() => closed())),
  };
}
