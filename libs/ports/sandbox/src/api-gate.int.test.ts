import { once } from "node:events";
import { createServer, type IncomingMessage, request } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { connect } from "node:net";
import { duplexPair } from "node:stream";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { generate } from "selfsigned";
import { expect, test } from "vitest";
import { apiAccess } from "./api-access.ts";
import { type ApiRequest, createGate, listenAtGate, type ReviewRequest } from "./api-gate.ts";

const prefix = "/of-this-run";

/** An API server that writes down what it is asked and opens every stream, behind a gate. */
async function recording(review: ReviewRequest) {
  await using stack = new AsyncDisposableStack();
  const asked: { line: string; authorization: string | undefined; headers: IncomingMessage["headers"] }[] =
    [];
  const write = ({ method, url, headers }: IncomingMessage): void => {
    asked.push({ line: `${method} ${url}`, authorization: headers.authorization, headers });
  };
  const server = createServer((incoming, answer) => {
    write(incoming);
    text(incoming).then((said) => answer.end(`answered ${said}`));
  });
  server.on("upgrade", (incoming, socket) => {
    write(incoming);
    socket.write("HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: x\r\n\r\n");
    socket.on("error", () => {}).pipe(socket);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  stack.defer(() => void server.close().closeAllConnections());
  const kubeconfig = JSON.stringify({
    "current-context": "a",
    contexts: [{ name: "a", context: { cluster: "a", user: "a" } }],
    clusters: [
      { name: "a", cluster: { server: `http://127.0.0.1:${(server.address() as AddressInfo).port}/base` } },
    ],
    users: [{ name: "a", user: { token: "the-run's-token" } }],
  });
  const access = apiAccess(kubeconfig);
  if (!access) throw new Error("it names a server");
  const gate = stack.use(await listenAtGate(access, { review, prefix }));
  const owned = stack.move();
  return { asked, access, port: gate.port, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

const onlyGets: ReviewRequest = async ({ method, upgrades }) =>
  method === "GET" && !upgrades ? undefined : "only GET is allowed";

async function ask(
  port: number,
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body = "",
) {
  const sent = request({ host: "127.0.0.1", port, method, path, headers });
  sent.end(body);
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  return { status: answer.statusCode, said: await text(answer) };
}

test("what is reviewed is sent with the token of the access, and nothing else that a client says of itself", async () => {
  await using world = await recording(onlyGets);
  const headers = {
    authorization: "Bearer another",
    "impersonate-user": "admin",
    "x-remote-user": "admin",
    "x-http-method-override": "DELETE",
    accept: "application/json",
  };
  const answer = await ask(world.port, "GET", `${prefix}/api/v1/pods?limit=5&a=b%20c`, headers);
  expect(answer).toEqual({ status: 200, said: "answered " });
  expect(world.asked).toMatchObject([
    { line: "GET /base/api/v1/pods?limit=5&a=b+c", authorization: "Bearer the-run's-token" },
  ]);
  const names = Object.keys(world.asked[0]?.headers ?? {});
  expect(names.filter((name) => /^(impersonate|x-)/.test(name))).toEqual([]);
});

test("what is refused is not sent, and the answer says why as API servers do", async () => {
  await using world = await recording(onlyGets);
  const answer = await ask(world.port, "DELETE", `${prefix}/api/v1/pods`);
  expect(answer.status).toBe(403);
  expect(JSON.parse(answer.said)).toMatchObject({
    kind: "Status",
    reason: "Forbidden",
    code: 403,
    message: "only GET is allowed",
  });
  const upgrade = { connection: "Upgrade", upgrade: "websocket" };
  expect((await ask(world.port, "GET", `${prefix}/api/v1/pods`, upgrade)).status).toBe(403);
  expect(world.asked).toEqual([]);
});

test.each([
  "/api/v1/pods",
  "/of-this-run-too/api/v1/pods",
  `${prefix}//api/v1/pods`,
  `${prefix}/api/../v1/pods`,
  `${prefix}/api/./v1`,
  `${prefix}/api/v1/p%6fds`,
  `${prefix}/api/v1/pods%2fx`,
  `${prefix}/api\\v1`,
  "http://127.0.0.1/api/v1/pods",
])("a path that can be read in two ways, or without the secret, is refused: %s", async (path) => {
  await using world = await recording(async () => undefined);
  expect((await ask(world.port, "GET", path)).status).toBe(403);
  expect(world.asked).toEqual([]);
});

test("a stream is opened with what was reviewed, and carries both ways", async () => {
  const reviewed: ApiRequest[] = [];
  await using world = await recording(async (one) => void reviewed.push(one));
  const socket = connect({ host: "127.0.0.1", port: world.port }).setEncoding("utf8");
  const path = `${prefix}/api/v1/namespaces/a/pods/b/exec?command=ls&command=-l%20x`;
  socket.write(
    `POST ${path} HTTP/1.1\r\nhost: x\r\nconnection: Upgrade\r\nupgrade: SPDY/3.1\r\ncontent-length: 0\r\n\r\n`,
  );
  const heard: string[] = [];
  socket.on("data", (data) => heard.push(String(data)));
  await expect.poll(() => heard.join("")).toContain("101 Switching Protocols");
  socket.write("ping");
  await expect.poll(() => heard.join("")).toContain("ping");
  socket.destroy();
  expect(reviewed).toMatchObject([
    { method: "POST", path: "/api/v1/namespaces/a/pods/b/exec", upgrades: true },
  ]);
  expect(reviewed[0]?.query.getAll("command")).toEqual(["ls", "-l x"]);
  expect(world.asked).toMatchObject([
    {
      line: "POST /base/api/v1/namespaces/a/pods/b/exec?command=ls&command=-l+x",
      headers: { upgrade: "SPDY/3.1" },
    },
  ]);
});

test("a second request behind the first one on the same connection is reviewed too", async () => {
  await using world = await recording(onlyGets);
  const socket = connect({ host: "127.0.0.1", port: world.port });
  const line = (method: string) => `${method} ${prefix}/x HTTP/1.1\r\nhost: x\r\n\r\n`;
  socket.write(line("GET") + line("DELETE"));
  const said = await text(socket);
  expect(said).toMatch(/200 OK[\s\S]*403 Forbidden/);
  expect(world.asked.map((one) => one.line)).toEqual(["GET /base/x"]);
});

test("connections may be streams that are no sockets, as those of a runner pod's gateway", async () => {
  await using world = await recording(onlyGets);
  using gate = createGate(world.access, { review: onlyGets });
  const [inside, outside] = duplexPair();
  gate.accept(outside);
  const heard: string[] = [];
  inside.setEncoding("utf8").on("data", (data) => heard.push(String(data)));
  inside.write("GET /x HTTP/1.1\r\nhost: x\r\n\r\nPATCH /x HTTP/1.1\r\nhost: x\r\n\r\n");
  await expect.poll(() => heard.join("")).toMatch(/200 OK[\s\S]*403 Forbidden/);
  expect(world.asked.map((one) => one.line)).toEqual(["GET /base/x"]);
});

test("a run that ends with requests under way ends them, and no error is left for the process", async () => {
  const { cert, private: key } = await generate([{ name: "commonName", value: "127.0.0.1" }], {
    extensions: [{ name: "subjectAltName", altNames: [{ type: 7, ip: "127.0.0.1" }] }],
  });
  // It answers nothing.
  const server = createTlsServer({ cert, key }, () => {}).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const authority = Buffer.from(cert).toString("base64");
  const access = apiAccess(
    JSON.stringify({
      "current-context": "a",
      contexts: [{ name: "a", context: { cluster: "a", user: "a" } }],
      clusters: [{ name: "a", cluster: { server: address, "certificate-authority-data": authority } }],
      users: [{ name: "a", user: { token: "the-run's-token" } }],
    }),
  );
  if (!access) throw new Error("it names a server");
  const uncaught: unknown[] = [];
  const note = (error: unknown) => uncaught.push(error);
  process.on("uncaughtException", note);
  try {
    // At every moment of a connection.
    for (let ms = 0; ms < 60; ms += 3) {
      const gate = await listenAtGate(access, { review: onlyGets, prefix });
      const sent = request({ host: "127.0.0.1", port: gate.port, path: `${prefix}/api` });
      const ended = new Promise((resolve) => sent.on("error", () => {}).once("close", resolve));
      sent.end();
      await delay(ms);
      gate[Symbol.dispose]();
      await ended;
    }
    await delay(100);
    expect(uncaught).toEqual([]);
  } finally {
    process.off("uncaughtException", note);
    server.close().closeAllConnections();
  }
});

test("a kubeconfig without a token is refused, and one without a server leads nowhere", () => {
  const clusters = [{ name: "a", cluster: { server: "https://127.0.0.1:1" } }];
  const contexts = [{ name: "a", context: { cluster: "a", user: "a" } }];
  const one = JSON.stringify({ clusters, contexts, "current-context": "a" });
  expect(() => apiAccess(one)).toThrow(/with a token/);
  expect(apiAccess("{}")).toBeUndefined();
});
