import { connect, type TLSSocket } from "node:tls";

/** A process of its own that keeps many watches open: url, CA, token and their number are its arguments. */
const [url = "", ca = "", token = "", number = "0"] = process.argv.slice(2);
const { hostname, port } = new URL(url);
const count = Number(number);
const atOnce = 40;

const sockets: TLSSocket[] = [];
let session: Buffer | undefined;
let heard = 0;

/** Resolves with the head of the answer. */
function watch(): Promise<void> {
  return new Promise((resolve, reject) => {
    // Resuming a session spares both ends most of the handshake.
    const socket = connect({ host: hostname, port: Number(port), ca, ...(session && { session }) });
    sockets.push(socket);
    socket.on("session", (fresh: Buffer) => {
      session ??= fresh;
    });
    socket.on("error", reject);
    socket.on("data", (chunk: Buffer) => {
      resolve();
      if (!chunk.includes("fanned-out")) return;
      heard += 1;
      if (heard === count) process.send?.("heard");
    });
    const path = "/api/v1/namespaces/default/configmaps?watch=1&resourceVersion=0";
    socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\n\r\n`);
  });
}

let left = count;
async function work(): Promise<void> {
  for (; left > 0; await watch()) left -= 1;
}

process.on("message", () => {
  for (const [index, socket] of sockets.entries()) index % 2 ? socket.destroy() : socket.end();
  process.send?.("left");
});
await Promise.all(Array.from({ length: atOnce }, work));
process.send?.("open");
