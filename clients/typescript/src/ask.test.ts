import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { NoAnswer, Range, Refused } from "./index.ts";

const opened: AsyncDisposable[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one[Symbol.asyncDispose]();
});

/** A range at a server that answers so. */
async function aRange(answer: RequestListener): Promise<Range> {
  const server = createServer(answer).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  opened.push(server);
  return new Range({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, token: "mr_x" });
}

test("a busy gateway is asked again, and the token is sent each time", async () => {
  const tokens: unknown[] = [];
  const range = await aRange((request, reply) => {
    tokens.push(request.headers.authorization);
    reply.setHeader("content-type", "application/json");
    if (tokens.length < 3)
      reply.writeHead(503, { "retry-after": "0.01" }).end('{"error":{"code":"busy","message":"busy"}}');
    else reply.end('{"suites":[]}');
  });
  expect(await range.suites()).toEqual([]);
  expect(tokens).toEqual(Array(3).fill("Bearer mr_x"));
});

test("a refusal says its code, its status and every wrong field, and is not sent again", async () => {
  let asked = 0;
  const range = await aRange((_, reply) => {
    asked += 1;
    const error = {
      code: "invalid-request",
      message: "wrong",
      issues: [{ path: "agent", message: "expected a name" }],
    };
    reply.writeHead(400, { "content-type": "application/json" }).end(JSON.stringify({ error }));
  });
  const refused = range.session({ agent: "?", suite: "easy@1" });
  await expect(refused).rejects.toBeInstanceOf(Refused);
  await expect(refused).rejects.toMatchObject({
    code: "invalid-request",
    status: 400,
    message: expect.stringContaining("agent: expected a name"),
  });
  expect(asked).toBe(1);
});

test("a field that the message names is not named twice, and a closed session says that it is", async () => {
  const opened = { id: "s1", agent: "a@1", experiment: "e", episodes: 1, openedAt: 1, silenceSeconds: 600 };
  const range = await aRange((request, reply) => {
    reply.setHeader("content-type", "application/json");
    if (request.url === "/v1/sessions") return void reply.writeHead(201).end(JSON.stringify(opened));
    if (request.method === "DELETE") return void reply.end('{"id":"s1"}');
    const issues = [{ path: "suite", message: "there is no suite" }];
    const error = {
      code: "invalid-request",
      message: "the request is wrong:\n  suite: there is no suite",
      issues,
    };
    reply.writeHead(400).end(JSON.stringify({ error }));
  });
  await expect(range.suites()).rejects.toThrow(/^the request is wrong:\n {2}suite: there is no suite$/);
  const session = await range.session({ agent: "a@1", suite: "easy@1" });
  await session.close();
  await expect(session.next()).rejects.toMatchObject({ name: "Refused", message: "the session is closed" });
});

test("opening a session is not sent again when the network breaks, and what is no gateway is named", async () => {
  let asked = 0;
  const range = await aRange((request) => {
    asked += 1;
    request.socket.destroy();
  });
  await expect(range.session({ agent: "a@1", suite: "easy@1" })).rejects.toBeInstanceOf(NoAnswer);
  expect(asked).toBe(1);
  const page = await aRange((_, reply) => reply.writeHead(404, { "content-type": "text/html" }).end("<p>"));
  await expect(page.suites()).rejects.toThrow(/no answer of a gateway/);
});

test.each([
  [{ url: "ftp://x", token: "a" }, /is no address of a gateway/],
  [{ url: "http://127.0.0.1:1", token: "" }, /there is no token/],
  [{ url: "http://127.0.0.1:1", token: "a b" }, /there is no token/],
])("%j is refused before anything is sent", (options, why) => {
  expect(() => new Range(options)).toThrow(why);
});

test("a problem is left when the range says so, not when it has not got it", async () => {
  const opened = { id: "s1", agent: "a@1", experiment: "e", episodes: 1, openedAt: 1, silenceSeconds: 600 };
  const given = { status: "problem", problem: "p1", attempt: 1, turn: "1.1", task: "detection", tools: [] };
  let left = 0;
  const range = await aRange((request, reply) => {
    reply.setHeader("content-type", "application/json");
    if (request.url === "/v1/sessions") return void reply.writeHead(201).end(JSON.stringify(opened));
    if (request.url?.endsWith("/next"))
      return void reply.end(JSON.stringify({ ...given, limits: {}, words: "" }));
    if (!request.url?.endsWith("/leave")) return void reply.end('{"id":"s1","workers":[]}');
    left += 1;
    if (left < 3) return void reply.writeHead(202).end('{"status":"pending","problem":"p1"}');
    reply.end('{"status":"ended","problem":"p1","how":"over","reason":"it left"}');
  });
  await using session = await range.session({ agent: "a@1", suite: "easy@1" });
  const problem = await session.next();
  await problem?.leave("no idea");
  expect([problem?.ended, left]).toEqual([true, 3]);
});
