import type { TokenRecord } from "@microremed/contracts";
import { newToken } from "@microremed/state";
import { expect, test } from "vitest";
import { aGame, aTurn, reading } from "./a-game.ts";
import { type Ask, aGateway, json } from "./a-gateway.ts";
import type { GatewaySuite } from "./test-gateway.ts";

interface Reply {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

export function testSessions({ gateway, backbone }: GatewaySuite): void {
  const start = () => aGame(backbone().bus);
  const agentNamed = (name: string, changes: Partial<TokenRecord> = {}) =>
    gateway().as("agent", { name, ...changes });
  const post = async (ask: Ask, path: string, body: unknown = {}): Promise<Reply> => {
    const reply = await ask(`/v1/sessions${path}`, json(body));
    return { status: reply.status, body: (await reply.json()) as Reply["body"] };
  };
  const open = async (ask: Ask, request: object = {}): Promise<string> => {
    const { status, body } = await post(ask, "", { agent: "tester@1", suite: "range@2", ...request });
    expect([status, body]).toMatchObject([201, { id: expect.stringMatching(/^s/) }]);
    return String(body["id"]);
  };

  test("a session starts an experiment when it is asked for a problem, with nothing in it that an agent may not choose", async () => {
    await using game = await start();
    const agent = await agentNamed("tester");
    const ask = async (request: object) => {
      const id = await open(agent, request);
      const before = game.submitted.length;
      await Promise.all([1, 2].map(() => post(agent, `/${id}/next`, { waitSeconds: 0 })));
      expect(game.submitted.length).toBeGreaterThan(before);
    };
    await open(agent);
    await ask({ task: "detection", parallel: 3, budgets: { seconds: 60 }, silenceSeconds: 30 });
    expect(game.submitted[0]).toMatchObject({
      ...{ problems: "range@2", method: ["Session"], model: ["session/tester@1"], task: ["detection"] },
      ...{ maxParallel: 3, policy: "guarded", priority: 5, reveal: "nothing" },
      owner: agent.token.id,
      budgets: { seconds: 60, toolCalls: 400 },
      timeouts: { modelSeconds: 30 },
    });
    await ask({ suite: "easy@1", environment: "online-boutique" });
    expect(game.submitted.at(-1)).toMatchObject({ failures: "easy@1", environment: "online-boutique" });
    for (const more of [
      { policy: "open" },
      { priority: 9 },
      { clusters: ["a"] },
      { model: "gpt" },
      { parallel: 999 },
    ])
      expect([more, (await post(agent, "", { agent: "tester", suite: "easy@1", ...more })).status]).toEqual([
        more,
        400,
      ]);
    expect((await post(agent, "", { agent: "tester" })).body).toMatchObject({
      error: { message: expect.stringContaining("exactly one of suite, problem and experiment") },
    });
    expect((await post(agent, "", { agent: "other@1", suite: "range@2" })).status).toBe(403);
    expect((await post(agent, "", { agent: "a b", suite: "range@2" })).status).toBe(400);
  });

  test("what is not known is named by the field that was sent, and no name of a fault is said", async () => {
    const agent = await agentNamed("tester");
    const wrong: readonly (readonly [object, readonly string[]])[] = [
      [{ suite: "unknown@1" }, ["suite"]],
      [{ suite: "../../etc" }, ["suite"]],
      [{ suite: "constructor" }, ["suite"]],
      [{ suite: "range" }, ["suite"]],
      [{ suite: "easy" }, ["suite"]],
      [{ suite: "range@2", task: "lunch" }, ["task"]],
      [{ suite: "range@2", task: ["detection", "lunch"] }, ["task.1"]],
      [{ suite: "easy@1", environment: "nowhere" }, ["environment"]],
      [{ problem: "range@1/nothing" }, ["problem"]],
      [
        { problem: ["range@1/nothing", "nowhere@1/a", "range@1/simple-micro-calm-01-detection"] },
        ["problem.0", "problem.1"],
      ],
      [{ problem: "range@1/simple-micro-calm-01-detection", task: "mitigation" }, ["problem"]],
      [{ suite: "range@2", environment: "simple-micro" }, ["environment"]],
      [{ suite: "nowhere@1", task: "lunch", environment: "moon" }, ["suite", "task", "environment"]],
    ];
    for (const [request, paths] of wrong) {
      const { status, body } = await post(agent, "", { agent: "tester@1", ...request });
      const { issues = [] } = body["error"] as { issues?: { path: string; message: string }[] };
      expect([request, status, issues.map(({ path }) => path)]).toEqual([request, 400, paths]);
      expect(JSON.stringify(body)).not.toMatch(/cpu-stress|pod-config-error|failure|scheduler/);
    }
    // A researcher may know.
    const researcher = await gateway().as("researcher");
    const lacking = (await post(researcher, "", { agent: "x", suite: "easy@1", environment: "nowhere" }))
      .body;
    expect(lacking).toMatchObject({ error: { issues: [{ path: "environment" }] } });
  });

  test("a token has so many sessions; one that may not open any joins an experiment that names its agent", async () => {
    await using game = await start();
    const agent = await agentNamed("tester", { mostSessions: 2, problemsPerHour: 100_000 });
    const first = await open(agent);
    await open(agent);
    const third = await post(agent, "", { agent: "tester@1", suite: "range@2" });
    expect([third.status, third.body]).toMatchObject([429, { error: { code: "too-many-requests" } }]);
    const list = (await (await agent("/v1/sessions")).json()) as { sessions: { id: string }[] };
    expect(list.sessions).toHaveLength(2);
    expect((await agent(`/v1/sessions/${first}`, { method: "DELETE" })).status).toBe(200);
    await expect.poll(() => game.cancelled).toHaveLength(1);
    await open(agent);

    const guest = await agentNamed("guest", { opens: false });
    expect((await post(guest, "", { agent: "guest@1", suite: "range@2" })).status).toBe(403);
    expect((await post(guest, "", { agent: "guest@1", experiment: "nowhere-1" })).status).toBe(404);
    const joined = await open(guest, { agent: "guest@1", suite: undefined, experiment: "exp-9" });
    expect((await guest(`/v1/sessions/${joined}`, { method: "DELETE" })).status).toBe(200);
    await game[Symbol.asyncDispose]();
    expect(game.cancelled).toHaveLength(1);
  });

  test("budgets are bounded by the token's scope, which says so itself", async () => {
    await using game = await start();
    await using small = await aGateway(backbone(), {
      GATEWAY_AGENT_SECONDS: "600",
      GATEWAY_AGENT_CALLS: "50",
    });
    const agent = await small.as("agent", { name: "tester" });
    const wide = { seconds: 601, toolCalls: 51, probeRounds: 50 };
    const refused = await post(agent, "", { agent: "tester", suite: "range@2", budgets: wide });
    expect([refused.status, refused.body]).toMatchObject([
      400,
      {
        error: {
          message: expect.stringContaining("GATEWAY_AGENT_SECONDS"),
          issues: [
            { path: "budgets.seconds", message: expect.stringContaining("at most 600") },
            { path: "budgets.toolCalls", message: expect.stringContaining("at most 50") },
          ],
        },
      },
    ]);
    // What is not asked for is no more than what may be.
    const id = await open(agent);
    await post(agent, `/${id}/next`, { waitSeconds: 0 });
    const budgets = { seconds: 600, toolCalls: 50, probeRounds: 50 };
    expect(game.submitted.at(-1)).toMatchObject({ budgets });
    expect(await (await agent("/v1/token")).json()).toMatchObject({ budgets });
    const researcher = await small.as("researcher");
    const most = { seconds: 86_400, toolCalls: 10_000, probeRounds: 10_000 };
    expect(await (await researcher("/v1/token")).json()).toMatchObject({ budgets: most });
    expect((await post(researcher, "", { agent: "x", suite: "range@2", budgets: most })).status).toBe(201);
    const usual = await (await agentNamed("tester"))("/v1/token");
    expect(await usual.json()).toMatchObject({ budgets: { seconds: 7200, toolCalls: 1000 } });
  });

  test("who has as many sessions as it may is refused before anything is planned or started", async () => {
    await using game = await start();
    const agent = await agentNamed("tester", { mostSessions: 1 });
    const first = await post(agent, "", { agent: "tester", suite: "range@2" });
    // What planning would refuse is not reached.
    const wrong = await post(agent, "", { agent: "tester", suite: "nowhere@1" });
    const joining = await post(agent, "", { agent: "tester", experiment: first.body["experiment"] });
    expect([wrong.status, joining.status]).toEqual([429, 429]);
    expect(game.submitted).toEqual([]);
  });

  test("a further session of the token joins what was not asked for yet, and starts it; those of others do not", async () => {
    await using game = await start();
    const agent = await agentNamed("tester");
    const first = await open(agent);
    const { body } = await post(agent, "", { agent: "tester@1", suite: "range@2" });
    const experiment = String(body["experiment"]);
    const stranger = await agentNamed("tester");
    expect((await post(stranger, "", { agent: "tester@1", experiment })).status).toBe(404);
    expect(game.submitted).toEqual([]);
    const joined = await post(agent, "", { agent: "tester@1", experiment });
    expect([joined.status, joined.body["episodes"]]).toEqual([201, 3]);
    expect(game.submitted.map(({ id }) => id)).toEqual([experiment]);
    expect((await post(stranger, "", { agent: "tester@1", experiment })).status).toBe(404);
    expect((await agent(`/v1/sessions/${first}`)).status).toBe(200);
  });

  test("a session is its token's: to others it is not there, whatever they ask", async () => {
    await using game = await start();
    game.turns.set("e-1.0000", aTurn("e-1.0000"));
    await using _seat = await game.seat("e-1.0000");
    const owner = await agentNamed("tester");
    const id = await open(owner);
    const { body: given } = await post(owner, `/${id}/next`);
    const thieves = [await agentNamed("tester"), await gateway().as("researcher")];
    for (const thief of thieves) {
      const paths = [
        `/${id}/next`,
        `/${id}/heartbeat`,
        `/${id}/problems/${given["problem"]}/calls`,
        `/${id}/problems/${given["problem"]}/leave`,
      ];
      for (const path of paths) {
        const reply = await post(thief, path, path.endsWith("calls") ? { tool: "get_logs" } : {});
        expect([path, reply.status, reply.body]).toMatchObject([
          path,
          404,
          { error: { code: "unknown-session" } },
        ]);
      }
      expect((await thief(`/v1/sessions/${id}`)).status).toBe(404);
      expect((await thief(`/v1/sessions/${id}`, { method: "DELETE" })).status).toBe(404);
      expect(await (await thief("/v1/sessions")).json()).toEqual({ sessions: [] });
    }
    expect(game.moves.filter(({ kind }) => kind !== "read")).toEqual([]);
    const admin = await gateway().as("admin");
    expect((await admin(`/v1/sessions/${id}`)).status).toBe(200);
    await backbone().state.tokens.revoke(owner.token.id);
    expect((await post(owner, `/${id}/next`)).status).toBe(401);
  });

  test("nothing that an agent gets says which episode or problem it has", async () => {
    await using game = await start();
    game.turns.set("e-1.0007", aTurn("e-1.0007"));
    await using _seat = await game.seat("e-1.0007");
    const agent = await agentNamed("tester");
    const id = await open(agent);
    const { body: next } = await post(agent, `/${id}/next`);
    expect(next).toMatchObject({
      status: "problem",
      problem: expect.stringMatching(/^p[a-z0-9]{12}$/),
      words: "attempt 1",
    });
    game.answer = (move) =>
      move.kind === "call" ? { status: "answered", text: "fine", ran: true, milliseconds: 3 } : reading();
    const { body: answer } = await post(agent, `/${id}/problems/${next["problem"]}/calls`, {
      id: "a",
      tool: "get_logs",
    });
    expect(answer).toEqual({ status: "answered", id: "a", text: "fine", ran: true, milliseconds: 3 });
    const shown = await (await agent(`/v1/sessions/${id}`)).text();
    expect(JSON.stringify([next, answer]) + shown).not.toMatch(/0007|cpu-stress/);
  });

  test("asked again, the same turn comes; then the next attempt, another problem, and the end", async () => {
    await using game = await start();
    game.turns.set("e-1.0000", aTurn("e-1.0000"));
    await using _seats = await game.seat("e-1.0000");
    await using _more = await game.seat("e-1.0001");
    const agent = await agentNamed("tester");
    const id = await open(agent);
    const next = async (more = {}) => (await post(agent, `/${id}/next`, more)).body;
    const first = await next();
    expect(await next()).toEqual(first);
    expect(await next({ worker: "other", waitSeconds: 0 })).toEqual({ status: "waiting" });
    game.answer = () => reading(2);
    game.turns.set("e-1.0000", aTurn("e-1.0000", { attempt: 2 }));
    expect(await next()).toMatchObject({ problem: first["problem"], attempt: 2 });
    game.turns.set("e-1.0000", aTurn("e-1.0000", { attempt: 2, state: "grading", turnEnded: true }));
    expect(await next({ waitSeconds: 0 })).toEqual({ status: "waiting" });
    game.turns.set("e-1.0000", aTurn("e-1.0000", { isOver: true, outcome: "solved" }));
    game.turns.set("e-1.0001", aTurn("e-1.0001"));
    game.answer = () => reading();
    const second = await next();
    expect(second).toMatchObject({
      status: "problem",
      previous: { problem: first["problem"], outcome: "solved" },
    });
    expect(second["problem"]).not.toBe(first["problem"]);
    game.turns.set("e-1.0001", aTurn("e-1.0001", { isOver: true }));
    game.status = "completed";
    expect(await next()).toMatchObject({ status: "done", episodes: 3, previous: { outcome: null } });
  });

  test("what came of a problem is said again, also by another gateway, until the next one has begun", async () => {
    await using game = await start();
    for (const id of ["e-1.0000", "e-1.0001"]) game.turns.set(id, aTurn(id));
    await using _seats = await game.seat("e-1.0000");
    await using _more = await game.seat("e-1.0001");
    const agent = await agentNamed("tester");
    const id = await open(agent);
    const next = async (more = {}) => (await post(agent, `/${id}/next`, more)).body;
    const first = await next();
    const [seat] = (await backbone().state.sessions.use(id))?.seats ?? [];
    const other = seat?.episodeId === "e-1.0000" ? "e-1.0001" : "e-1.0000";
    const previous = { problem: first["problem"], outcome: "solved", reason: "the problem is over" };
    const end = (episodeId: string) =>
      game.turns.set(episodeId, aTurn(episodeId, { isOver: true, outcome: "solved" }));
    game.turns.delete(other);
    end(seat?.episodeId ?? "");
    expect(await next({ waitSeconds: 0 })).toEqual({ status: "waiting", previous });
    // As if the gateway had died before its answer was read.
    await using second = await aGateway(backbone());
    const again = await second.anonymously(`/v1/sessions/${id}/next`, {
      ...json({ waitSeconds: 0 }),
      headers: { "content-type": "application/json", authorization: `Bearer ${agent.text}` },
    });
    expect(await again.json()).toEqual({ status: "waiting", previous });
    game.turns.set(other, aTurn(other));
    expect(await next()).toMatchObject({ status: "problem", previous });
    expect(await next()).toMatchObject({ status: "problem", previous });
    game.answer = () => reading(1, 1);
    expect(await next()).not.toHaveProperty("previous");
    game.answer = () => reading(2);
    expect(await next()).not.toHaveProperty("previous");
    game.turns.set(other, aTurn(other, { turnEnded: true, state: "grading" }));
    expect(await next({ waitSeconds: 0 })).toEqual({ status: "waiting" });
  });

  test("a call waits while no remediator has its turn: after a death, or during an action", async () => {
    await using game = await start();
    game.turns.set("e-1.0000", aTurn("e-1.0000"));
    const seat = await game.seat("e-1.0000");
    const agent = await agentNamed("tester");
    const id = await open(agent);
    const { body: given } = await post(agent, `/${id}/next`);
    const calls = `/${id}/problems/${given["problem"]}/calls`;
    let acted = false;
    game.answer = () => {
      if (acted) return { status: "answered", text: "deleted", ran: true, milliseconds: 5 };
      acted = true;
      return { status: "acting" };
    };
    expect((await post(agent, calls, { id: "a", tool: "exec_shell" })).body).toMatchObject({
      text: "deleted",
    });
    await seat[Symbol.asyncDispose]();
    const waiting = post(agent, calls, { id: "b", tool: "exec_shell" });
    const none = await post(agent, calls, { id: "b", tool: "exec_shell", waitSeconds: 0 });
    expect([none.status, none.body]).toEqual([202, { status: "pending", id: "b" }]);
    await using _again = await game.seat("e-1.0000");
    expect((await waiting).body).toMatchObject({ status: "answered" });
    const ids = game.moves.flatMap((move) => (move.kind === "call" ? [move.call.id] : []));
    expect(new Set(ids)).toEqual(new Set(["a", "b"]));
    expect(game.moves.filter(({ kind }) => kind === "call")).toEqual(
      expect.arrayContaining([expect.objectContaining({ turn: { trial: 1, attempt: 1 } })]),
    );
  });

  test("a call in a turn that is over says so; wrong calls are refused before anybody is asked", async () => {
    await using game = await start();
    game.turns.set("e-1.0000", aTurn("e-1.0000"));
    await using seat = new AsyncDisposableStack();
    seat.use(await game.seat("e-1.0000"));
    const agent = await agentNamed("tester");
    const id = await open(agent);
    const { body: given } = await post(agent, `/${id}/next`);
    const calls = `/${id}/problems/${given["problem"]}/calls`;
    game.answer = () => ({ status: "other-turn", turn: { trial: 2, attempt: 1 } });
    expect(await post(agent, calls, { tool: "get_logs" })).toMatchObject({
      status: 409,
      body: { error: { code: "turn-over" } },
    });
    game.answer = () => ({ status: "conflict" });
    expect(await post(agent, calls, { id: "a", tool: "get_logs" })).toMatchObject({
      status: 409,
      body: { error: { code: "conflict" } },
    });
    game.answer = () => ({ status: "busy" });
    expect((await post(agent, calls, { tool: "get_logs" })).status).toBe(429);
    const before = game.moves.length;
    for (const wrong of [
      {},
      { tool: "" },
      { tool: "x".repeat(101) },
      { id: "a b", tool: "t" },
      { tool: "t", arguments: [] },
      { tool: "t", waitSeconds: 999 },
      { tool: "t", spent: { promptTokens: -1 } },
    ])
      expect([wrong, (await post(agent, calls, wrong)).status]).toEqual([wrong, 400]);
    expect(
      (await post(agent, calls, { tool: "t", arguments: { playbook: "x".repeat(600_000) } })).status,
    ).toBe(400);
    expect((await post(agent, `/${id}/problems/pzzzzzzzzzzzz/calls`, { tool: "t" })).status).toBe(409);
    expect(game.moves.length).toBe(before);
    await seat.disposeAsync();
    game.turns.set("e-1.0000", aTurn("e-1.0000", { turnEnded: true, state: "grading" }));
    expect((await post(agent, calls, { tool: "get_logs" })).body).toMatchObject({ status: "ended" });
    game.turns.set("e-1.0000", aTurn("e-1.0000", { trial: 2 }));
    expect((await post(agent, calls, { tool: "get_logs" })).status).toBe(409);
  });

  test("every answer that a problem is over says why, as the scheduler knows it", async () => {
    await using game = await start();
    game.turns.set("e-1.0000", aTurn("e-1.0000"));
    await using seat = new AsyncDisposableStack();
    seat.use(await game.seat("e-1.0000"));
    const agent = await agentNamed("tester");
    const id = await open(agent);
    const { body: given } = await post(agent, `/${id}/next`);
    const at = `/${id}/problems/${given["problem"]}`;
    await seat.disposeAsync();
    const end = { how: "over", reason: "the episode's budget is used up: all 3 tool calls" } as const;
    game.turns.set("e-1.0000", aTurn("e-1.0000", { isOver: true, outcome: "not-solved", end }));
    expect((await post(agent, `${at}/calls`, { tool: "get_logs" })).body).toMatchObject(end);
    expect((await post(agent, `${at}/leave`)).body).toMatchObject(end);
    const shown = (await (await agent(`/v1/sessions/${id}`)).json()) as Reply["body"];
    expect(shown["workers"]).toMatchObject([{ over: true, reason: end.reason }]);
    const { body: next } = await post(agent, `/${id}/next`, { waitSeconds: 0 });
    expect(next).toMatchObject({ previous: { outcome: "not-solved", reason: end.reason } });
    for (const [path, body] of [
      ["calls", { tool: "get_logs" }],
      ["leave", {}],
    ] as const) {
      const refused = await post(agent, `${at}/${path}`, body);
      expect([refused.status, JSON.stringify(refused.body)]).toEqual([
        409,
        expect.stringContaining(end.reason),
      ]);
    }
  });

  test("a heartbeat says how many turns it has reached, and waits for one whose remediator has died", async () => {
    await using game = await start();
    for (const episode of ["e-1.0000", "e-1.0001"]) game.turns.set(episode, aTurn(episode));
    await using _one = await game.seat("e-1.0000");
    const dying = await game.seat("e-1.0001");
    const agent = await agentNamed("tester");
    const id = await open(agent, { parallel: 2 });
    const beat = (body: object = {}) => post(agent, `/${id}/heartbeat`, body);
    expect((await beat()).body).toEqual({ turns: 0, unreached: 0 });
    // Without a body.
    expect((await agent(`/v1/sessions/${id}/heartbeat`, { method: "POST" })).status).toBe(200);
    for (const worker of ["one", "two"]) await post(agent, `/${id}/next`, { worker });
    game.answer = () => ({ status: "alive" });
    expect((await beat()).body).toEqual({ turns: 2, unreached: 0 });
    await dying[Symbol.asyncDispose]();
    const lacking = await beat({ waitSeconds: 0 });
    expect([lacking.status, lacking.body]).toEqual([202, { turns: 1, unreached: 1 }]);
    expect((await beat({ waitSeconds: 11 })).status).toBe(400);
    const waiting = beat({ waitSeconds: 10 });
    await using _again = await game.seat("e-1.0001");
    expect((await waiting).body).toEqual({ turns: 2, unreached: 0 });
    // No turn is under way while one is graded.
    game.answer = () => ({ status: "pending" });
    for (const episode of ["e-1.0000", "e-1.0001"])
      game.turns.set(episode, aTurn(episode, { state: "grading", turnEnded: true }));
    expect(await beat()).toEqual({ status: 200, body: { turns: 0, unreached: 0 } });
  });

  test("a problem is given up when the scheduler knows it: not by a remediator that dies, nor where none is", async () => {
    await using game = await start();
    game.turns.set("e-1.0000", aTurn("e-1.0000"));
    const dying = await game.seat("e-1.0000");
    const agent = await agentNamed("tester");
    const id = await open(agent);
    const { body: given } = await post(agent, `/${id}/next`);
    const leave = (body: object = {}) => post(agent, `/${id}/problems/${given["problem"]}/leave`, body);
    const left = { status: "ended", how: "over", reason: "the agent left: no idea" } as const;
    const pending = [202, { problem: given["problem"], status: "pending" }];
    game.answer = () => left;
    const spent = { promptTokens: 5, completionTokens: 2 };
    const early = await leave({ reason: "no idea", spent, waitSeconds: 0 });
    expect([early.status, early.body]).toEqual(pending);
    expect(game.moves.at(-1)).toMatchObject({ kind: "leave", reason: "no idea", spent });
    await dying[Symbol.asyncDispose]();
    const none = await leave({ waitSeconds: 0 });
    expect([none.status, none.body]).toEqual(pending);
    const waiting = leave({ waitSeconds: 60 });
    game.answer = (move) => {
      if (move.kind === "leave")
        game.turns.set("e-1.0000", aTurn("e-1.0000", { state: "grading", turnEnded: true }));
      return left;
    };
    await using _again = await game.seat("e-1.0000");
    expect(await waiting).toEqual({ status: 200, body: { ...left, problem: given["problem"] } });
    game.turns.set("e-1.0000", aTurn("e-1.0000", { isOver: true }));
    game.answer = () => ({ status: "pending" });
    expect((await leave()).body).toMatchObject({ status: "ended", reason: "the problem is over" });
    game.turns.delete("e-1.0000");
    expect((await leave()).status).toBe(409);
  });

  test("a session shows what became of a problem that was handed in, and takes no other one", async () => {
    await using game = await start();
    game.turns.set("e-1.0000", aTurn("e-1.0000"));
    await using _seat = await game.seat("e-1.0000");
    const agent = await agentNamed("tester");
    const id = await open(agent);
    const { body: given } = await post(agent, `/${id}/next`);
    const { problem } = given;
    const workers = async () =>
      ((await (await agent(`/v1/sessions/${id}`)).json()) as Reply["body"])["workers"];
    const going = { worker: "main", problem, attempt: 1, over: false, again: false, outcome: null };
    expect(await workers()).toEqual([going]);
    game.turns.set("e-1.0000", aTurn("e-1.0000", { trial: 2 }));
    expect(await workers()).toEqual([{ ...going, again: true }]);
    game.turns.set("e-1.0000", aTurn("e-1.0000", { isOver: true, outcome: "solved" }));
    const reason = "the problem is over";
    expect(await workers()).toEqual([{ ...going, over: true, outcome: "solved", reason }]);
    // Also when its worker has asked for the next one, and none is left.
    game.status = "completed";
    expect((await post(agent, `/${id}/next`)).body).toMatchObject({ status: "done" });
    expect(await workers()).toEqual([{ ...going, attempt: null, over: true, outcome: "solved", reason }]);
  });

  test("what names its turn is done in no other: the same attempt after a lost arena is another turn", async () => {
    await using game = await start();
    game.turns.set("e-1.0000", aTurn("e-1.0000"));
    await using _seat = await game.seat("e-1.0000");
    const agent = await agentNamed("tester");
    const id = await open(agent);
    const { body: given } = await post(agent, `/${id}/next`);
    expect(given).toMatchObject({ attempt: 1, turn: "1.1" });
    const at = `/${id}/problems/${given["problem"]}`;
    game.answer = () => ({ status: "answered", text: "", ran: true, milliseconds: 1 });
    const named = { tool: "get_logs", turn: "1.1" };
    expect((await post(agent, `${at}/calls`, named)).status).toBe(200);
    const spent = { promptTokens: 3, completionTokens: 0, cost: null };
    await post(agent, `${at}/leave`, { turn: "1.1", spent, waitSeconds: 0 });
    expect(game.moves.at(-1)).toMatchObject({ kind: "leave", turn: { trial: 1, attempt: 1 }, spent });
    const before = game.moves.length;
    for (const [path, body] of [
      ["calls", { tool: "get_logs", turn: "2.1" }],
      ["leave", { turn: "2.1" }],
    ] as const)
      expect(await post(agent, `${at}/${path}`, body)).toMatchObject({
        status: 409,
        body: { error: { code: "turn-over" } },
      });
    expect((await post(agent, `${at}/calls`, { tool: "t", turn: "one" })).status).toBe(400);
    expect(game.moves.length).toBe(before);
  });

  test("a session without a sign of life is closed, and the experiment that it opened is cancelled", async () => {
    await using game = await start();
    const { sessions, tokens } = backbone().state;
    const { id: tokenId, secretHash } = newToken();
    const limits = {
      expiresAt: null,
      requestsPerMinute: 60,
      mostSessions: 9,
      problemsPerHour: 100_000,
      opens: true,
    };
    await tokens.put({ id: tokenId, scope: "agent", name: "x", secretHash, createdAt: 1, ...limits });
    const session = {
      ...{ agent: "x", model: "session/x", silenceSeconds: 1, openedAt: 1, tokenId },
      problemsPerHour: 100,
    };
    const own = { ...session, id: `s${"1".repeat(20)}`, experimentId: "silent-1", owned: true };
    const joined = { ...session, id: `s${"2".repeat(20)}`, experimentId: "silent-2", owned: false };
    await sessions.open(own, 9);
    await sessions.open(joined, 9);
    await expect.poll(() => sessions.list(tokenId)).toEqual([]);
    await expect.poll(() => game.cancelled).toEqual(["silent-1 by its agent"]);
  });
}
