import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { connect as connectTls } from "node:tls";
import type { ServerTls } from "./server-tls.ts";

/**
 * Sends `question` to a local TCP port and says whether the reply contains `expected`; never throws. With `tls` it shows
 * the server its own certificate: this asks whether the server answers, not who it is.
 */
export function askServer(
  port: number,
  question: string,
  expected: string,
  tls?: ServerTls,
): Promise<boolean> {
  return new Promise((resolve) => {
    const address = { host: "127.0.0.1", port };
    const socket = tls ? connectTls({ ...address, ...encrypted(tls) }) : connect(address);
    let reply = "";
    const finish = (answered: boolean): void => {
      socket.destroy();
      resolve(answered);
    };
    socket.setTimeout(1_000, () => finish(false));
    socket.on(tls ? "secureConnect" : "connect", () => socket.write(question));
    socket.on("data", (chunk) => {
      reply += chunk.toString("latin1");
      if (reply.includes(expected)) finish(true);
    });
    socket.on("error", () => finish(false));
    socket.on("close", () => finish(false));
  });
}

function encrypted({ certFile, keyFile }: ServerTls) {
  return { cert: readFileSync(certFile), key: readFileSync(keyFile), rejectUnauthorized: false };
}
