import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { afterEach, expect, test } from "vitest";
import { type Door, openDoor } from "./door.ts";
import type { ModelProxy } from "./model-proxy.ts";
import type { CallEnd, SessionClient, Turn } from "./session-client.ts";

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

const turn = {
  status: "problem",
  problem: "p1",
  attempt: 1,
  turn: "1.1",
  words: "the words",
  tools: [],
  limits: {},
} as unknown as Turn;

/** A door in front of a session that answers so; `passed`: the tools that were called, and the messages that were passed on. */
async function aDoor(
  reply: (tool: string) => Promise<CallEnd> | CallEnd,
  { model, pass }: { readonly model?: ModelProxy; readonly pass?: () => Response } = {},
) {
  const passed: string[] = [];
  const bodies: Record<string, unknown>[] = [];
  const session = {
    id: "s1",
    call: async ({ problem }: Turn, made: { readonly tool: string }) => {
      const { tool } = made;
      passed.push(`${problem} ${tool}`);
      bodies.push({ ...made });
      return await reply(tool);
    },
    pass: async (_path: string, { body }: { readonly body: string }) => {
      const read = JSON.parse(body) as { method: string };
      passed.push(read.method);
      bodies.push({ ...read });
      if (pass) return pass();
      return new Response("{}", { headers: { "content-type": "application/json" } });
    },
  } as unknown as SessionClient;
  const door: Door = openDoor({
    session,
    worker: "w1",
    turn,
    model,
    signal: new AbortController().signal,
  });
  door.prefix = "/secret";
  const server = createServer((socket) => door.accept(socket)).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  closing.push(
    () => server.close(),
    () => door[Symbol.dispose](),
  );
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/secret`;
  const post = async (path: string, body: unknown) => {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const answered = await fetch(`${url}${path}`, { method: "POST", body: text });
    return { status: answered.status, text: await answered.text() };
  };
  const tool = (name: string, args = {}) =>
    post("/mcp", { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } });
  return { passed, bodies, post, tool, door };
}

const answered: CallEnd = { status: "answered", text: "pods", ran: true };
const ended: CallEnd = { status: "ended", how: "submitted", reason: "" };

test("after the turn nothing is passed on, by whatever way it is asked for", async () => {
  const { passed, post, tool, door } = await aDoor((name) => (name === "submit" ? ended : answered));
  expect((await tool("next_problem")).text).toContain("the words");
  expect((await tool("exec_shell", { command: "ls" })).text).toContain("pods");
  expect((await tool("submit", { anomaly: true })).text).toContain("It was submitted");
  expect(door.turnEnded.aborted).toBe(true);
  const before = [...passed];
  for (const one of [
    tool("exec_shell"),
    post("/mcp", { jsonrpc: "2.0", id: 2, method: "prompts/get", params: { name: "problem" } }),
    post("/mcp", { jsonrpc: "2.0", id: 3, method: "tools/list" }),
    post("/shell", "kubectl get pods"),
    post("/v1/sessions/s1/problems/p1/calls", { id: "a", tool: "exec_shell", arguments: {} }),
  ])
    expect((await one).text).toContain("The turn is over");
  expect((await tool("next_problem")).text).toContain("No problem is left");
  expect(passed).toEqual(before);
  expect(before).toEqual(["p1 exec_shell", "p1 submit"]);
});

test("what is asked for while the turn is handed in waits, and is not passed on", async () => {
  const going = Promise.withResolvers<CallEnd>();
  const { passed, post, tool } = await aDoor(() => going.promise);
  const submitting = tool("submit", {});
  await expect.poll(() => passed).toEqual(["p1 submit"]);
  const others = [
    tool("exec_shell"),
    post("/mcp", { jsonrpc: "2.0", id: 2, method: "prompts/get", params: { name: "problem" } }),
    post("/shell", "ls"),
  ];
  going.resolve(ended);
  await submitting;
  for (const other of await Promise.all(others)) expect(other.text).toContain("The turn is over");
  expect(passed).toEqual(["p1 submit"]);
});

test("a call with deeply nested arguments is answered, and not passed on", async () => {
  const { passed, post } = await aDoor(() => answered);
  const deep = `{"a":${"[".repeat(20_000)}${"]".repeat(20_000)}}`;
  const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"exec_shell","arguments":${deep}}}`;
  expect((await post("/mcp", body)).text).toContain('"isError":true');
  expect(passed).toEqual([]);
});

const tokensOf = ({ spent }: Record<string, unknown>): number | undefined =>
  (spent as { readonly promptTokens: number } | undefined)?.promptTokens;

/** A model that has used up a token more each time that it is asked for. */
function aCountedModel(): ModelProxy {
  let tokens = 0;
  let fresh = 1;
  return {
    answer: async () => {},
    take: () => {
      const promptTokens = tokens + fresh;
      [tokens, fresh] = [0, 1];
      return { promptTokens, completionTokens: 0, cost: 0.1 };
    },
    giveBack: (spent) => {
      tokens += spent.promptTokens;
    },
    end: async () => {},
  };
}

test("what a model has used up goes with the next call that the range takes, and once", async () => {
  const replies: Response[] = [];
  const say = (status: number, body: unknown): void => void replies.push(Response.json(body, { status }));
  const { bodies, post, tool } = await aDoor(
    () => {
      throw new Error("no gateway answers");
    },
    { model: aCountedModel(), pass: () => replies.shift() ?? Response.json({}) },
  );
  const call = (id: string) =>
    post("/v1/sessions/s1/problems/p1/calls", {
      id,
      ...{ tool: "get_logs", turn: "2.1", arguments: {} },
      // A word of the program's own would make the cost of the episode unknown.
      spent: { promptTokens: 9_000 },
    });
  say(400, { error: { code: "invalid-request" } });
  say(202, { status: "pending", id: "a" });
  say(200, { status: "answered", id: "a", text: "", ran: true });
  for (const id of ["a", "a", "a"]) await call(id);
  // No gateway answered: it goes with the next.
  expect((await tool("exec_shell")).status).toBe(502);
  await call("b");
  // The pending call says the same again. What no gateway answered is sent again before the next call.
  expect(bodies.map(tokensOf)).toEqual([1, 2, 2, 1, 1, 2]);
  // Whatever turn the program names, it is the one that it was started for.
  expect(bodies.flatMap((body) => body["turn"] ?? [])).toEqual(["1.1", "1.1", "1.1", "1.1"]);
});

test("a call in a turn that is over ends the program's turn, whichever way it was made", async () => {
  const over = { error: { code: "turn-over", message: "this turn is over" } };
  const { post, door } = await aDoor(() => answered, { pass: () => Response.json(over, { status: 409 }) });
  await post("/v1/sessions/s1/problems/p1/calls", { tool: "get_logs" });
  expect(door.turnEnded.aborted).toBe(true);
});

test("a call after the end says why the turn is over, on every way into it", async () => {
  const reason = "the episode's budget is used up: all 3 tool calls";
  const { post, tool } = await aDoor(() => ({ status: "ended", how: "over", reason }));
  const said = `The turn is over: ${reason}. There is nothing more to do.`;
  expect((await tool("get_logs")).text).toContain(said);
  expect((await tool("get_logs")).text).toContain(said);
  expect((await post("/shell", "ls")).text).toContain(said);
  expect((await post("/v1/sessions/s1/problems/p1/calls", { tool: "get_logs" })).text).toContain(said);
});

test("what was spent before a call that the gateway refuses, or that the end overtakes, is not lost", async () => {
  const ends: CallEnd[] = [
    { status: "refused", text: "the tool's name is too long" },
    { status: "refused", text: "the arguments are too long" },
    answered,
    { status: "ended", how: "over", reason: "the turn has ended" },
  ];
  const model = aCountedModel();
  const { bodies, post, tool } = await aDoor(() => ends.shift() ?? answered, { model });
  const refused = await tool("x".repeat(101));
  expect(refused.text).toContain("name is too long");
  expect(refused.text).toContain('"isError":true');
  expect(await post("/shell", "ls")).toEqual({ status: 200, text: "the arguments are too long\n" });
  await tool("get_logs");
  expect(bodies.map(tokensOf)).toEqual([1, 2, 3]);
  await tool("get_logs");
  // One of its own, and the one that came nowhere.
  expect(model.take().promptTokens).toBe(2);

  const late = aCountedModel();
  const over = { status: "ended", how: "over", id: "a", reason: "the turn has ended" };
  const after = await aDoor(() => answered, { model: late, pass: () => Response.json(over) });
  await after.post("/v1/sessions/s1/problems/p1/calls", { tool: "get_logs" });
  expect(late.take().promptTokens).toBe(2);
});

test("a call that is left pending, or that the gateway fails at, is sent again before the next one, with what it said", async () => {
  for (const [status, body] of [
    [202, { status: "pending", id: "a" }],
    [500, { error: { code: "internal" } }],
  ] as const) {
    const model = aCountedModel();
    const pass = () => Response.json(body, { status });
    const { bodies, post, tool, door } = await aDoor(() => answered, { model, pass });
    const ask = { id: "a", tool: "get_logs", arguments: { of: "cart" }, waitSeconds: 0 };
    await post("/v1/sessions/s1/problems/p1/calls", ask);
    await tool("get_events");
    expect(bodies.map((one) => [one["tool"], tokensOf(one)])).toEqual([
      ["get_logs", 1],
      ["get_logs", 1],
      ["get_events", 1],
    ]);
    await post("/v1/sessions/s1/problems/p1/calls", { ...ask, id: "b" });
    await door.settle();
    expect(bodies.slice(3).map((one) => [one["id"], tokensOf(one)])).toEqual([
      ["b", 1],
      ["b", 1],
    ]);
    expect(model.take().promptTokens).toBe(1);
  }
});

test("a message of MCP that may call a tool counts as a call, and says what was spent in place of the program", async () => {
  const replies: string[] = [];
  const { bodies, post, door } = await aDoor(() => answered, {
    ...{ model: aCountedModel(), pass: () => new Response(replies.shift() ?? "{}") },
  });
  const send = async (method: string, reply: object, isEvent = false): Promise<number | undefined> => {
    const text = JSON.stringify({ jsonrpc: "2.0", id: 1, ...reply });
    replies.push(isEvent ? `event: message\ndata: ${text}\n\n` : text);
    const _meta = { "microremed/spent": { promptTokens: 9_000 }, kept: true };
    await post("/mcp", { jsonrpc: "2.0", id: 1, method, params: { uri: "telemetry://topology", _meta } });
    const { params } = bodies.at(-1) as { params: { _meta: Record<string, unknown> } };
    expect(params._meta["kept"]).toBe(true);
    return tokensOf({ spent: params._meta["microremed/spent"] });
  };
  const read = "resources/read";
  const error = (data?: object) => ({ error: { code: -32_602, message: "no", ...(data && { data }) } });
  expect(await send(read, { result: { contents: [] } }, true)).toBe(1);
  expect(await send(read, { result: { contents: [] } })).toBe(1);
  // Nothing was called: it goes with the next.
  expect(await send(read, error({ answered: false }), true)).toBe(1);
  expect(await send(read, error())).toBe(2);
  // The turn has answered that the tool is not run.
  expect(await send(read, error({ answered: true }), true)).toBe(3);
  expect(await send("what/ever", { result: {} })).toBe(1);
  expect(door.calls).toBe(6);
  for (const method of ["tools/list", "prompts/get", "resources/list", "initialize"])
    expect(await send(method, { result: {} })).toBe(9_000);
  expect(door.calls).toBe(6);
});
