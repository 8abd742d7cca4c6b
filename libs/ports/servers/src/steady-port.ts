import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/** Below what systems give to connections, and to servers that ask for any port. */
const from = 20_000;
const to = 30_000;
const tries = 100;

/**
 * A TCP port of 127.0.0.1 that was free a moment ago, and that the system gives to no other program by itself: a server that is
 * started again finds it free.
 */
export async function steadyPort(): Promise<number> {
  for (let attempt = 0; attempt < tries; attempt++) {
    const port = randomInt(from, to);
    if (await isFree(port)) return port;
  }
  throw new Error(`of ${tries} ports between ${from} and ${to} none was free`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.on("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
