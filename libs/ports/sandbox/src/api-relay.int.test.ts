import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, connect, createServer, type Server } from "node:net";
import { expect, test } from "vitest";
import { createRelay, type RelayOptions, relayFrom, type Target } from "./api-relay.ts";

const relayToApi = (server: Server, target: Target, options?: RelayOptions): Disposable =>
  relayFrom(server, createRelay(target, options));

async function listening<S extends Server>(stack: AsyncDisposableStack, server: S): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  stack.defer(() => void server.close());
  return (server.address() as AddressInfo).port;
}

/** Says everything back that it hears, twice. */
const echo = (): Server =>
  createServer((socket) => socket.on("data", (data) => void socket.write(`${data}${data}`)));

/** The first thing that is said back; nothing when the connection ends first. */
async function ask(port: number, words: string): Promise<string> {
  const socket = connect({ port, host: "127.0.0.1" });
  socket.write(words);
  for await (const data of socket) return String(data);
  return "";
}

test("carries what is said both ways, directly and through a proxy with a login", async () => {
  await using stack = new AsyncDisposableStack();
  const port = await listening(stack, echo());
  const asked: (string | undefined)[] = [];
  const proxy = createHttpServer().on("connect", (request, inside) => {
    asked.push(request.url, request.headers["proxy-authorization"]);
    const outside = connect({ port, host: "127.0.0.1" }, () => inside.write("HTTP/1.1 200 OK\r\n\r\n"));
    inside.pipe(outside).pipe(inside);
  });
  const proxyPort = await listening(stack, proxy);
  for (const through of [{}, { proxy: `http://user:pass@127.0.0.1:${proxyPort}` }]) {
    const door = createServer();
    const doorPort = await listening(stack, door);
    using _relay = relayToApi(door, { host: "127.0.0.1", port, ...through });
    expect(await ask(doorPort, "hello ")).toBe("hello hello ");
  }
  expect(asked).toEqual([`127.0.0.1:${port}`, `Basic ${Buffer.from("user:pass").toString("base64")}`]);
});

test("an API server or a proxy that is away is an end of the connection, and a run's end is one too", async () => {
  await using stack = new AsyncDisposableStack();
  const refusing = createHttpServer().on("connect", (_request, socket) =>
    socket.end("HTTP/1.1 403 No\r\n\r\n"),
  );
  const proxy = `http://127.0.0.1:${await listening(stack, refusing)}`;
  for (const target of [
    { host: "127.0.0.1", port: 9 },
    { host: "127.0.0.1", port: 9, proxy },
  ]) {
    const door = createServer();
    const port = await listening(stack, door);
    const reasons: string[] = [];
    using _relay = relayToApi(door, target, { onUnreachable: (why) => reasons.push(why) });
    expect(await ask(port, "hello").catch((error: Error) => error.message)).toMatch(/^$|ECONNRESET/);
    expect(reasons).toEqual([expect.stringMatching(/^127\.0\.0\.1: .*(ECONNREFUSED|proxy answered 403)/)]);
  }
  const door = createServer();
  const port = await listening(stack, door);
  const relay = relayToApi(door, { host: "127.0.0.1", port: await listening(stack, echo()) });
  const socket = connect({ port, host: "127.0.0.1" }).on("error", () => {});
  socket.write("hello");
  await once(socket, "data");
  relay[Symbol.dispose]();
  await once(socket, "close");
});

test("nothing goes out once the right to is lost, not even over a connection that stands", async () => {
  await using stack = new AsyncDisposableStack();
  const door = createServer();
  const port = await listening(stack, door);
  let isOurs = true;
  const target = { host: "127.0.0.1", port: await listening(stack, echo()) };
  const mayPass = async (): Promise<void> => {
    if (!isOurs) throw new Error("the claim is another's");
  };
  using _relay = relayToApi(door, target, { mayPass });
  const socket = connect({ port, host: "127.0.0.1" }).on("error", () => {});
  socket.write("hello ");
  expect(String(await once(socket, "data"))).toBe("hello hello ");
  isOurs = false;
  const heard: string[] = [];
  socket.on("data", (data) => heard.push(String(data)));
  socket.write("delete everything");
  await once(socket, "close");
  expect(heard).toEqual([]);
  expect(await ask(port, "again").catch(() => "")).toBe("");
});
