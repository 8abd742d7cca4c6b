import type { Server } from "node:net";

/** Listens on an address of this machine; 0: on a free port. Returns the port. */
export async function listen(server: Server, host: string, port = 0): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(port, host, resolve);
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new TypeError("a server has a port");
  return address.port;
}
