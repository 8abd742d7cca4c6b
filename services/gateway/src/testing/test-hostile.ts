import { once } from "node:events";
import { type ClientRequest, request as httpRequest, type IncomingMessage } from "node:http";
import { connect } from "node:net";
import { newToken } from "@microremed/state";
import { expect, test } from "vitest";
import { aGame, aTurn, reading } from "./a-game.ts";
import { type Ask, aGateway, json } from "./a-gateway.ts";
import type { GatewaySuite } from "./test-gateway.ts";

type Body = Readonly<Record<string, unknown>>;

/** What a program may try that wants more than its own problems, or wants that others get nothing. */
export function testHostile({ gateway, backbone }: GatewaySuite): void {
  const start = () => aGame(backbone().bus);
  const agentNamed = (name: string, changes = {}) => gateway().as("agent", { name, ...changes });
  const post = async (
    ask: Ask,
    path: string,
    body: unknown = {},
  ): Promise<{ status: number; body: Body }> => {
    const reply = await ask(path, json(body));
    return { status: reply.status, body: (await reply.json()) as Body };
  };
  /** A session with a problem in it. */
  const playing = async (
    ask: Ask,
    agent: string,
  ): Promise<{ id: string; calls: string; problem: string }> => {
    const { body } = await post(ask, "/v1/sessions", { agent, suite: "range@2" });
    const id = String(body["id"]);
    const { body: next } = await post(ask, `/v1/sessions/${id}/next`);
    const problem = String(next["problem"]);
    return { id, problem, calls: `/v1/sessions/${id}/problems/${problem}/calls` };
  };

  test("a flood of one token is turned away at its rate, and another agent's calls are answered meanwhile", async () => {
    await using game = await start();
    for (const id of ["e-1.0000", "e-1.0001"]) game.turns.set(id, aTurn(id));
    await using _one = await game.seat("e-1.0000");
    await using _two = await game.seat("e-1.0001");
    const flooding = await agentNamed("flooder", { requestsPerMinute: 60 });
    const other = await agentNamed("tester");
    const theirs = await playing(flooding, "flooder");
    const own = await playing(other, "tester");
    game.answer = (move) =>
      move.kind === "call" ? { status: "answered", text: "fine", ran: true, milliseconds: 1 } : reading();
    const begun = performance.now();
    const flood = Promise.all(
      Array.from({ length: 300 }, (_, i) => post(flooding, theirs.calls, { id: `c${i}`, tool: "get_logs" })),
    );
    for (let i = 0; i < 20; i++)
      expect((await post(other, own.calls, { id: `c${i}`, tool: "get_logs" })).body).toMatchObject({
        text: "fine",
      });
    const statuses = (await flood).map(({ status }) => status);
    // A sixth of a minute's requests, without those that opened the session, and one for each second since.
    const most = 9 + Math.ceil((performance.now() - begun) / 1000);
    expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(most);
    expect(statuses.every((status) => status === 200 || status === 429)).toBe(true);
    const reached = game.moves.filter((move) => move.kind === "call" && move.episodeId !== "");
    expect(reached.length).toBeLessThanOrEqual(20 + most);
  });

  test("calls that hang take the places of their own token only", async () => {
    await using game = await start();
    await using small = await aGateway(backbone(), { GATEWAY_REQUESTS: "4" });
    game.turns.set("e-1.0000", aTurn("e-1.0000"));
    const hanging = await small.as("agent", { name: "tester" });
    const { body } = await post(hanging, "/v1/sessions", { agent: "tester", suite: "range@2" });
    const stop = new AbortController();
    const open = Array.from({ length: 4 }, () =>
      hanging(`/v1/sessions/${body["id"]}/next`, { ...json({ waitSeconds: 60 }), signal: stop.signal }).catch(
        () => undefined,
      ),
    );
    await expect.poll(async () => (await hanging("/v1/token")).status).toBe(429);
    expect((await (await small.as("agent"))("/v1/token")).status).toBe(200);
    stop.abort();
    await Promise.all(open);
    await expect.poll(async () => (await hanging("/v1/token")).status).toBe(200);
  });

  test("a flood without a token costs the audit log a bounded number of lines", async () => {
    await using open = await aGateway(backbone());
    const strange = { authorization: `Bearer ${newToken().text}` };
    const begun = performance.now();
    for (let round = 0; round < 10; round++)
      await Promise.all(
        Array.from({ length: 50 }, (_, i) =>
          open.anonymously("/v1/sessions", { ...json({}), headers: i % 2 ? strange : {} }),
        ),
      );
    // 100 lines in each 10 s.
    const spans = 1 + Math.ceil((performance.now() - begun) / 10_000);
    expect(open.audit.length).toBeLessThanOrEqual(100 * spans);
    expect(open.audit.length).toBeLessThan(500);
    const known = await open.as("agent");
    await known("/v1/experiments");
    await expect.poll(() => open.audit.at(-1)).toMatchObject({ status: 403, token_id: known.token.id });
  });

  test("bodies that are huge, endless, deep or poisoned are refused as the caller's mistake", async () => {
    await using game = await start();
    game.turns.set("e-1.0000", aTurn("e-1.0000"));
    await using _seat = await game.seat("e-1.0000");
    const agent = await agentNamed("tester");
    const { id, calls } = await playing(agent, "tester");
    const before = game.moves.length;
    const nested = (depth: number): string => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;
    const arrays = (depth: number): string => `{"a":${"[".repeat(depth)}${"]".repeat(depth)}}`;
    const wrong = [
      [413, `{"tool":"get_logs","arguments":{"of":"${"x".repeat(1_100_000)}"}}`],
      [400, `{"tool":"get_logs","arguments":${nested(100_000)}}`],
      [400, `{"tool":"get_logs","arguments":${arrays(250_000)}}`],
      [400, `{"tool":"get_logs","arguments":${nested(1_000)}}`],
      [400, '{"tool":"get_logs","arguments":{"__proto__":{"of":"cart"}}}'],
      [400, '{"tool":"get_logs","arguments":{"constructor":{"prototype":{"of":"cart"}}}}'],
      [
        400,
        `{"tool":"get_logs","arguments":{${Array.from({ length: 60_000 }, (_, i) => `"k${i}":1`).join()}}}`,
      ],
      [400, "[".repeat(500_000)],
      [400, "\u0000\uFFFF"],
    ] as const;
    for (const [status, text] of wrong) {
      const headers = { "content-type": "application/json" };
      const reply = await agent(calls, { method: "POST", headers, body: text });
      expect([text.slice(0, 60), reply.status]).toEqual([text.slice(0, 60), status]);
    }
    for (const path of [`/v1/sessions/${id}/next`, "/v1/sessions", "/mcp?suite=range@2"]) {
      const headers = { "content-type": "application/json" };
      const deep = await agent(path, { method: "POST", headers, body: nested(100_000) });
      expect([path, deep.status]).toEqual([path, 400]);
    }
    const forms = [
      { "content-type": "text/plain" },
      { "content-type": "application/json", "content-encoding": "gzip" },
      { "content-type": "application/x-www-form-urlencoded" },
    ];
    for (const headers of forms)
      expect([400, 415]).toContain((await agent(calls, { method: "POST", headers, body: "{}" })).status);
    expect(await endless(agent.text, gateway().url + calls)).toBe(413);
    expect(game.moves.length).toBe(before);
    expect((await agent("/v1/token")).status).toBe(200);
  });

  test("one MCP message is one call: a batch of thousands is refused", async () => {
    await using game = await start();
    game.turns.set("e-1.0000", aTurn("e-1.0000"));
    await using _seat = await game.seat("e-1.0000");
    const agent = await agentNamed("tester");
    const { id } = await playing(agent, "tester");
    const before = game.moves.length;
    const call = (number: number) => ({
      ...{ jsonrpc: "2.0", id: number, method: "tools/call" },
      params: { name: "get_logs", arguments: {} },
    });
    const reply = await agent(`/mcp?session=${id}`, {
      ...json(Array.from({ length: 5_000 }, (_, i) => call(i))),
      headers: {
        ...{ "content-type": "application/json", accept: "application/json, text/event-stream" },
        "mcp-session-id": id,
      },
    });
    expect([reply.status, await reply.json()]).toMatchObject([
      400,
      { jsonrpc: "2.0", id: null, error: { code: -32_600, data: { code: "invalid-request" } } },
    ]);
    expect(game.moves.length).toBe(before);
  });

  test("ids of others open nothing, over HTTP and MCP", async () => {
    await using game = await start();
    for (const id of ["e-1.0000", "e-1.0001"]) game.turns.set(id, aTurn(id));
    await using _one = await game.seat("e-1.0000");
    await using _two = await game.seat("e-1.0001");
    const victim = await agentNamed("tester");
    const thief = await agentNamed("tester");
    const theirs = await playing(victim, "tester");
    const own = await playing(thief, "tester");
    const before = game.moves.length;
    // Its own session with the problem of another, and the other way about; ids that only the range knows.
    const places = [
      [`/v1/sessions/${own.id}/problems/${theirs.problem}/calls`, 409],
      [`/v1/sessions/${theirs.id}/problems/${own.problem}/calls`, 404],
      [`/v1/sessions/${own.id}/problems/e-1.0000/calls`, 400],
      [`/v1/sessions/e-1.0000/problems/${own.problem}/calls`, 400],
      [`/v1/sessions/${own.id}%2f..%2f${theirs.id}/problems/${own.problem}/calls`, 400],
    ] as const;
    for (const [path, status] of places)
      expect([path, (await post(thief, path, { tool: "get_logs" })).status]).toEqual([path, status]);
    const headers = {
      ...{ "content-type": "application/json", accept: "application/json, text/event-stream" },
      "mcp-session-id": theirs.id,
    };
    const listing = { jsonrpc: "2.0", id: 1, method: "tools/list" };
    const asMcp = (path: string, more: RequestInit) => thief(path, { ...more, headers });
    expect((await asMcp("/mcp", json(listing))).status).toBe(404);
    expect((await asMcp(`/mcp?session=${theirs.id}`, json(listing))).status).toBe(404);
    expect((await asMcp("/mcp", { method: "DELETE" })).status).toBe(404);
    const hello = {
      ...{ jsonrpc: "2.0", id: 1, method: "initialize" },
      params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "x", version: "1" } },
    };
    expect((await asMcp(`/mcp?session=${theirs.id}`, json(hello))).status).toBe(404);
    expect(game.moves.length).toBe(before);
    expect(await (await victim(`/v1/sessions/${theirs.id}`)).json()).toMatchObject({
      workers: [{ problem: theirs.problem }],
    });
  });

  test("tokens that were revoked, are another's or another range's open nothing, wherever they are shown", async () => {
    await using game = await start();
    game.turns.set("e-1.0000", aTurn("e-1.0000"));
    await using _seat = await game.seat("e-1.0000");
    const agent = await agentNamed("tester");
    const { id, calls } = await playing(agent, "tester");
    const [, shownId, secret] = /^mr_([a-z0-9]{10})_(.+)$/.exec(agent.text) ?? [];
    const strange = newToken().text;
    const [, , otherSecret] = /^mr_([a-z0-9]{10})_(.+)$/.exec(strange) ?? [];
    const shows: Record<string, string>[] = [
      { authorization: `Bearer ${strange}` },
      { authorization: `Bearer mr_${shownId}_${otherSecret}` },
      { authorization: `Bearer mr_${shownId}_${secret?.slice(0, -1)}` },
      { authorization: `Bearer ${agent.text}, Bearer ${agent.text}` },
      { authorization: `Basic ${Buffer.from(`x:${agent.text}`).toString("base64")}` },
      { cookie: `token=${agent.text}` },
      { "x-api-key": agent.text },
    ];
    for (const headers of shows)
      expect([headers, (await gateway().anonymously("/v1/token", { headers })).status]).toEqual([
        headers,
        401,
      ]);
    expect((await gateway().anonymously(`/v1/token?authorization=${agent.text}`)).status).toBe(401);
    const before = game.moves.length;
    game.answer = () => ({ status: "answered", text: "fine", ran: true, milliseconds: 1 });
    expect((await post(agent, calls, { id: "a", tool: "get_logs" })).status).toBe(200);
    await backbone().state.tokens.revoke(agent.token.id);
    const made = game.moves.length;
    expect(made).toBeGreaterThan(before);
    // The same call again, and everything else.
    expect((await post(agent, calls, { id: "a", tool: "get_logs" })).status).toBe(401);
    expect((await post(agent, `/v1/sessions/${id}/next`)).status).toBe(401);
    expect((await agent(`/v1/sessions/${id}`, { method: "DELETE" })).status).toBe(401);
    expect(game.moves.length).toBe(made);
  });

  test("a stream of events ends with its token", async () => {
    const researcher = await gateway().as("researcher");
    const reply = await researcher("/v1/events");
    expect(reply.status).toBe(200);
    await backbone().state.tokens.revoke(researcher.token.id);
    await reply.text();
  });

  test("of a thousand sessions a token gets as many as it may, and others get theirs", async () => {
    await using game = await start();
    const greedy = await agentNamed("tester", { mostSessions: 8 });
    const open = () => post(greedy, "/v1/sessions", { agent: "tester", suite: "range@2" });
    const statuses: number[] = [];
    for (let round = 0; round < 20; round++)
      statuses.push(...(await Promise.all(Array.from({ length: 50 }, open))).map(({ status }) => status));
    expect(statuses.filter((status) => status === 201)).toHaveLength(8);
    expect(statuses.filter((status) => status === 429)).toHaveLength(992);
    // None of them was asked for a problem.
    expect(game.submitted).toEqual([]);
    const other = await agentNamed("tester");
    expect((await post(other, "/v1/sessions", { agent: "tester", suite: "range@2" })).status).toBe(201);
  });

  test("who opens and closes sessions without end starts a bounded number of problems", async () => {
    await using game = await start();
    const churning = await agentNamed("tester", { problemsPerHour: 30 });
    const statuses: number[] = [];
    for (let round = 0; round < 40; round++) {
      const { status, body } = await post(churning, "/v1/sessions", { agent: "tester", suite: "range@2" });
      const next = await churning(`/v1/sessions/${body["id"]}/next`, json({ waitSeconds: 0 }));
      statuses.push(status === 201 ? next.status : status);
      await churning(`/v1/sessions/${body["id"]}`, { method: "DELETE" });
    }
    // Three problems each.
    expect(statuses.filter((status) => status === 200)).toHaveLength(10);
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
    expect(game.submitted).toHaveLength(10);
    const other = await agentNamed("tester");
    expect((await post(other, "/v1/sessions", { agent: "tester", suite: "range@2" })).status).toBe(201);
  });

  test("connections of one address take a part of the places; those of others are let in", async () => {
    await using small = await aGateway(backbone(), { GATEWAY_CONNECTIONS: "16" });
    const { port } = new URL(small.url);
    await using _sockets = new AsyncDisposableStack();
    let closed = 0;
    for (let i = 0; i < 40; i++) {
      const socket = connect({ port: Number(port), host: "127.0.0.1", localAddress: "127.0.0.2" });
      socket.on("error", () => {});
      socket.on("close", () => closed++);
      _sockets.defer(() => void socket.destroy());
    }
    await expect.poll(() => closed).toBeGreaterThanOrEqual(32);
    expect((await small.anonymously("/openapi.json")).status).toBe(200);
  });
}

/** A body that never ends; the status that it is answered with. */
async function endless(token: string, url: string): Promise<number | undefined> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const sent: ClientRequest = httpRequest(url, { method: "POST", headers });
  sent.on("error", () => {});
  const answered = once(sent, "response").then(([reply]) => (reply as IncomingMessage).statusCode);
  const chunk = Buffer.alloc(65_536, 0x20);
  const timer = setInterval(() => sent.write(chunk), 1);
  try {
    return await answered;
  } finally {
    clearInterval(timer);
    sent.destroy();
  }
}
