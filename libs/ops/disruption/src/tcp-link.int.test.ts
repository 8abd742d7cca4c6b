import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { expect, test } from "vitest";
import { openTcpLink } from "./tcp-link.ts";

/** A server that says everything back. */
async function echo(stack: AsyncDisposableStack): Promise<number> {
  const server = createServer((socket) => socket.on("error", () => undefined).pipe(socket)).listen(
    0,
    "127.0.0.1",
  );
  stack.defer(() => void server.close());
  await once(server, "listening");
  const address = server.address();
  return address !== null && typeof address === "object" ? address.port : 0;
}

async function open(port: number): Promise<{ socket: Socket; said: () => string }> {
  const socket = connect({ host: "127.0.0.1", port });
  let text = "";
  socket.on("data", (chunk) => (text += String(chunk))).on("error", () => undefined);
  await once(socket, "connect");
  return { socket, said: () => text };
}

test("a clear link passes everything, a silent one holds it back, a slow one delays it", async () => {
  await using stack = new AsyncDisposableStack();
  const link = stack.use(await openTcpLink(await echo(stack)));
  const { socket, said } = await open(link.port);
  socket.write("a");
  await expect.poll(said).toBe("a");
  link.set({ kind: "silent" });
  socket.write("b");
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(said()).toBe("a");
  link.set({ kind: "slow", delayMs: 50 });
  await expect.poll(said).toBe("ab");
  const startedAt = performance.now();
  socket.write("c");
  await expect.poll(said).toBe("abc");
  expect(performance.now() - startedAt).toBeGreaterThan(95);
});

test("a cut resets what is open and refuses what comes, until it is mended", async () => {
  await using stack = new AsyncDisposableStack();
  const link = stack.use(await openTcpLink(await echo(stack)));
  const { socket } = await open(link.port);
  link.set({ kind: "cut" });
  await expect.poll(() => socket.closed).toBe(true);
  const refused = await open(link.port);
  await expect.poll(() => refused.socket.closed).toBe(true);
  link.set({ kind: "clear" });
  const again = await open(link.port);
  again.socket.write("x");
  await expect.poll(again.said).toBe("x");
});
