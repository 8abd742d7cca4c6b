import { createServer } from "node:net";

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
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(0, host, resolve);
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new TypeError("a server has a port");
  return {
    port: address.port,
    visits: () => visits,
    [Symbol.asyncDispose]: () => new Promise((closed) => server.close(() => closed())),
  };
}
