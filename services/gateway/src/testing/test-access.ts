import { once } from "node:events";
import { connect } from "node:net";
import { newToken } from "@microremed/state";
import { expect, test } from "vitest";
import { type Ask, aGateway, json } from "./a-gateway.ts";
import type { GatewaySuite } from "./test-gateway.ts";

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** Every route of the document, with something in each place of its path. */
async function everyRoute(url: string): Promise<{ path: string; method: string }[]> {
  const { paths } = (await (await fetch(`${url}/openapi.json`)).json()) as OpenApi;
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => ({
      path: path.replaceAll("{kind}", "faults").replaceAll(/\{\w+\}/g, "exp-1"),
      method: method.toUpperCase(),
    })),
  );
}

/** Routes that an agent's token opens. */
const agents = /^(\/v1\/(token$|sessions)|\/mcp$)/;

export function testAccess({ gateway, backbone }: GatewaySuite): void {
  test("no route answers without a token that it knows, and an agent's token opens nothing but its own", async () => {
    const { url, anonymously, as } = gateway();
    const agent = await as("agent");
    const routes = await everyRoute(url);
    expect(routes.length).toBeGreaterThan(15);
    for (const { path, method } of routes) {
      const body = method === "POST" ? json({}, method) : { method };
      const strange = { authorization: `Bearer ${newToken().text}` };
      const bare = await anonymously(path, body);
      expect([path, bare.status, bare.headers.get("www-authenticate")]).toEqual([path, 401, "Bearer"]);
      expect([
        path,
        (await anonymously(path, { ...body, headers: { ...body.headers, ...strange } })).status,
      ]).toEqual([path, 401]);
      const status = (await agent(path, body)).status;
      if (agents.test(path)) expect([path, status]).not.toEqual([path, 403]);
      else expect([path, status]).toEqual([path, 403]);
    }
  });

  test("a request that cannot be read is answered with what was found, what is expected, and what to do", async () => {
    const { anonymously, as } = gateway();
    const agent = await as("agent");
    const said = async (path: string, init: RequestInit, ask: Ask = agent): Promise<string> => {
      const reply = (await (await ask(path, init)).json()) as { error: { message: string } };
      return reply.error.message;
    };
    const post = (body: string, type: string) => ({
      method: "POST",
      body,
      headers: { "content-type": type },
    });
    const huge = post(`{"agent":"${"x".repeat(1_100_000)}"}`, "application/json");
    const wrong: readonly (readonly [string, RequestInit, readonly RegExp[]])[] = [
      [
        "/v1/sessions",
        post("agent=a", "text/plain"),
        [/"text\/plain"/, /expected JSON/, /`Content-Type: app/],
      ],
      ["/v1/sessions", huge, [/11000\d\d bytes/, /1048576 bytes/, /send less/]],
      ["/v1/sessions", post('{"agent": ', "application/json"), [/JSON/]],
      ["/v1/sessions/abc", {}, [/^the path is wrong: id: /, /\/docs/]],
      ["/v1/sessions/abc/next", json({}), [/^the path is wrong: id: /]],
      ["/mcp?lunch=1", json({ jsonrpc: "2.0", id: 1, method: "ping" }), [/query of the address/, /"lunch"/]],
    ];
    for (const [path, init, words] of wrong) {
      const message = await said(path, init);
      for (const one of words) expect(message).toMatch(one);
    }
    const shown = [
      ["", /missing/],
      [`Basic ${agent.text}`, /does not begin with `Bearer `/],
      ["Bearer", /nothing after/],
      [`Bearer ${agent.text} ${agent.text}`, /more than one word/],
      [`Bearer "${agent.text}"`, /cut off, or in quotes/],
      [`Bearer ${agent.text.slice(0, 20)}`, /cut off, or in quotes/],
    ] as const;
    for (const [authorization, words] of shown) {
      const headers: Record<string, string> = authorization === "" ? {} : { authorization };
      const message = await said("/v1/token", { headers }, anonymously);
      expect(message).toMatch(words);
      expect(message).toContain("`Authorization: Bearer mr_...`");
      expect(message).not.toContain(agent.text.slice(3, 20));
    }
  });

  test("whether it lives and is ready is said without a token", async () => {
    const { anonymously } = gateway();
    for (const path of ["/healthz", "/readyz"]) {
      const reply = await anonymously(path);
      expect([path, reply.status, await reply.text()]).toEqual([path, 200, "ok\n"]);
    }
  });

  test("what is no route needs a token too, and names the list of routes", async () => {
    const { anonymously, as } = gateway();
    expect((await anonymously("/v1/nothing")).status).toBe(401);
    const reply = await (await as("agent"))("/v1/nothing");
    expect([reply.status, await reply.json()]).toEqual([
      404,
      {
        error: { code: "invalid-request", message: "there is no GET /v1/nothing; /docs lists what there is" },
      },
    ]);
  });

  test("a token shows itself without its secret; only an administrator lists all", async () => {
    const { as } = gateway();
    const [agent, researcher, admin] = [await as("agent"), await as("researcher"), await as("admin")];
    const own = await (await agent("/v1/token")).json();
    expect(own).toMatchObject({ token: { id: agent.token.id, scope: "agent" } });
    expect((await researcher("/v1/tokens")).status).toBe(403);
    const all = await (await admin("/v1/tokens")).text();
    for (const { token } of [agent, researcher, admin]) {
      expect(all).toContain(token.id);
      expect(all + JSON.stringify(own)).not.toContain(token.secretHash);
    }
  });

  test("a revoked or expired token opens nothing any more", async () => {
    const { as } = gateway();
    const agent = await as("agent");
    const old = await as("agent", { expiresAt: backbone().state.now() - 1 });
    expect((await agent("/v1/token")).status).toBe(200);
    expect((await old("/v1/token")).status).toBe(401);
    await backbone().state.tokens.revoke(agent.token.id);
    expect((await agent("/v1/token")).status).toBe(401);
  });

  test("a token that asks too often waits, and others do not", async () => {
    const { as } = gateway();
    const greedy = await as("agent", { requestsPerMinute: 60 });
    const other = await as("agent");
    const replies = await Promise.all(Array.from({ length: 40 }, () => greedy("/v1/token")));
    const refused = replies.filter(({ status }) => status === 429);
    expect(replies.filter(({ status }) => status === 200).length).toBeLessThan(40);
    expect(refused.length).toBeGreaterThan(0);
    expect(Number(refused[0]?.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await refused[0]?.json()).toMatchObject({ error: { code: "too-many-requests" } });
    expect((await other("/v1/token")).status).toBe(200);
  });

  test("of one token only so many requests are under way at once", async () => {
    await using small = await aGateway(backbone(), { GATEWAY_REQUESTS: "2" });
    const researcher = await small.as("researcher");
    const stop = new AbortController();
    const open = [1, 2].map(() => researcher("/v1/events", { signal: stop.signal }));
    const streams = await Promise.all(open);
    expect(streams.map(({ status }) => status)).toEqual([200, 200]);
    const third = await researcher("/v1/token");
    expect([third.status, await third.json()]).toMatchObject([429, { error: { code: "too-many-requests" } }]);
    expect((await (await small.as("researcher"))("/v1/token")).status).toBe(200);
    stop.abort();
    await expect.poll(async () => (await researcher("/v1/token")).status).toBe(200);
  });

  test("what is too large or no JSON is refused, and the gateway goes on", async () => {
    const researcher = await gateway().as("researcher");
    const huge = await researcher("/v1/experiments", json({ id: "x".repeat(2 ** 21) }));
    expect(huge.status).toBe(413);
    const rubbish = { method: "POST", body: "{no", headers: { "content-type": "application/json" } };
    expect((await researcher("/v1/experiments", rubbish)).status).toBe(400);
    const form = { method: "POST", body: "a=1", headers: { "content-type": "text/plain" } };
    expect((await researcher("/v1/experiments", form)).status).toBe(415);
    expect((await researcher(`/v1/experiments/${"x".repeat(1_000)}`)).status).toBe(414);
    expect((await researcher("/v1/experiments/NO+SUCH")).status).toBe(400);
    expect((await researcher("/v1/token")).status).toBe(200);
  });

  test("whatever is wrong with a request, the body of its error has the same form", async () => {
    const { url, anonymously } = gateway();
    const researcher = await gateway().as("researcher");
    const isError = { error: { code: expect.stringMatching(/^[a-z-]+$/), message: expect.any(String) } };
    const post = (body: string, type: string) => ({
      method: "POST",
      body,
      headers: { "content-type": type },
    });
    const asked: readonly (readonly [number, () => Promise<Response>])[] = [
      [400, () => researcher("/v1/experiments/%zz")],
      [400, () => researcher("/v1/suites/range@3/problems?environment=shop")],
      [400, () => researcher("/v1/token?x=1")],
      [400, () => researcher("/v1/experiments", post("{no", "application/json"))],
      [400, () => researcher("/v1/experiments", post("", "application/json"))],
      [401, () => anonymously("/v1/token")],
      [404, () => researcher("/v1/nothing")],
      [404, () => researcher("/v1/token", { method: "PATCH" })],
      [413, () => researcher("/v1/experiments", post("x".repeat(2 ** 21), "application/json"))],
      [414, () => researcher(`/v1/experiments/${"x".repeat(1_000)}`)],
      [415, () => researcher("/v1/experiments", post("a=1", "text/plain"))],
    ];
    for (const [status, ask] of asked) {
      const answer = await ask();
      expect([answer.url, answer.status, await answer.json()]).toMatchObject([answer.url, status, isError]);
    }
    const unread = [
      [400, "NO HTTP AT ALL\r\n\r\n"],
      [417, "GET /healthz HTTP/1.1\r\nhost: a\r\nexpect: miracles\r\n\r\n"],
      [431, `GET / HTTP/1.1\r\nhost: a\r\nx: ${"x".repeat(100_000)}\r\n\r\n`],
    ] as const;
    for (const [status, text] of unread) {
      const answer = await rawly(url, text);
      expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
      const [body = ""] = /\{.*\}/s.exec(answer) ?? [];
      expect([text.slice(0, 20), JSON.parse(body)]).toMatchObject([text.slice(0, 20), isError]);
    }
  });

  test("pages of strangers may not call it, its own and those that are named may", async () => {
    await using open = await aGateway(backbone(), { GATEWAY_ORIGINS: "https://board.example" });
    const researcher = await open.as("researcher");
    const from = (origin: string) => researcher("/v1/token", { headers: { origin } });
    expect((await from(open.url)).status).toBe(200);
    expect((await from("https://evil.example")).status).toBe(403);
    const named = await from("https://board.example");
    expect([named.status, named.headers.get("access-control-allow-origin")]).toEqual([
      200,
      "https://board.example",
    ]);
    const asked = { origin: "https://board.example", "access-control-request-method": "GET" };
    expect((await open.anonymously("/v1/token", { method: "OPTIONS", headers: asked })).status).toBe(204);
    const closed = await gateway().anonymously("/v1/token", { method: "OPTIONS", headers: asked });
    expect(closed.headers.get("access-control-allow-origin")).toBeNull();
  });

  test("the audit log says who changed or was refused what, and holds no secret", async () => {
    const { as, logged, metrics } = gateway();
    const agent = await as("agent");
    await agent("/v1/experiments/exp-1/cancel", { method: "POST", headers: { "user-agent": "prober/1" } });
    const route = "/v1/experiments/:id/cancel";
    const line = {
      route,
      method: "POST",
      status: 403,
      token_id: agent.token.id,
      scope: "agent",
      agent: "prober/1",
    };
    await expect.poll(() => gateway().audit.at(-1)).toMatchObject(line);
    expect(logged()).not.toMatch(/mr_[a-z0-9]{10}_/);
    expect(await metrics()).toContain(
      `microremed_gateway_requests_total{route="${route}",method="POST",status="403",service="gateway"}`,
    );
  });
}

/** What a server answers to bytes, until it closes the connection. */
async function rawly(url: string, text: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.on("error", () => {});
  socket.write(text);
  const chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => chunks.push(chunk));
  await once(socket, "close");
  return Buffer.concat(chunks).toString();
}
