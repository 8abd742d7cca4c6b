import { spawn } from "node:child_process";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { connect, createServer } from "node:net";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { frameOf, frames } from "./frames.ts";
import { gateway } from "./gateway.ts";
import { loaded, loader } from "./programs.ts";
import { openTunnel } from "./tunnel.ts";

/** The gateway's own program, as it runs in a pod. */
function startGateway() {
  const [program = "", ...args] = loader;
  const child = spawn(program, args, { stdio: ["pipe", "pipe", "inherit"] });
  child.stdout.on("error", () => {});
  child.stdin.on("error", () => {});
  child.stdin.write(loaded(gateway));
  const tunnel = openTunnel({ stdin: child.stdin, output: child.stdout });
  return {
    tunnel,
    child,
    async [Symbol.asyncDispose]() {
      tunnel[Symbol.dispose]();
      child.stdin.end();
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

test("carries connections both ways, and one that is not read holds up no other", async () => {
  await using world = startGateway();
  const port = await freePort();
  const bytes = 3_000_000;
  let count = 0;
  await world.tunnel.listen(port, (connection) => {
    count += 1;
    if (count === 1) connection.write(Buffer.alloc(bytes));
    else connection.pipe(connection);
  });
  const stuck = connect(port, "127.0.0.1").on("error", () => {});
  await once(stuck, "connect");
  await expect.poll(() => count).toBe(1);
  stuck.pause();
  const client = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  const sent = "x".repeat(bytes);
  client.end(sent);
  expect((await text(client)).length).toBe(bytes);
  let got = 0;
  stuck.on("data", (chunk) => {
    got += chunk.length;
  });
  stuck.resume();
  await expect.poll(() => got).toBe(bytes);
  stuck.destroy();
});

test("what ends on one side ends on the other", async () => {
  await using world = startGateway();
  const port = await freePort();
  const accepted: PassThrough[] = [];
  await world.tunnel.listen(port, (connection) => {
    connection.end("bye");
    accepted.push(connection.pipe(new PassThrough()));
  });
  const client = connect(port, "127.0.0.1");
  expect(await text(client)).toBe("bye");
  await expect.poll(() => accepted.every((one) => one.writableEnded)).toBe(true);
});

test("says which addresses it reaches", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  await using world = startGateway();
  const closed = await freePort();
  expect(
    await world.tunnel.check([
      ["127.0.0.1", port],
      ["127.0.0.1", closed],
    ]),
  ).toEqual([`127.0.0.1 port ${port}`]);
  server.close();
});

test("ends with its executor, and what keeps to no rules ends the tunnel", async () => {
  const world = startGateway();
  world.child.stdin.end();
  expect(await world.tunnel.closed).toMatch(/ended|closed/);
  await world[Symbol.asyncDispose]();
  for (const wrong of [frameOf(99 as never, 1), Buffer.from([frames.data, 0, 0, 0, 1, 255, 255, 255, 255])]) {
    const output = new PassThrough();
    const tunnel = openTunnel({ stdin: new PassThrough(), output });
    output.write(wrong);
    expect(await tunnel.closed).toMatch(/a frame of/);
  }
});
