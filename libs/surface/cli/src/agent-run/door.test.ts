import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { afterEach, expect, test } from "vitest";
import { type Door, openDoor } from "./door.ts";
import type { CallEnd, SessionClient, Turn } from "./session-client.ts";

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

const turn = {
  status: "problem",
  problem: "p1",
  attempt: 1,
  words: "the words",
  tools: [],
} as unknown as Turn;

/** A door in front of a session that answers so; `passed`: the tools that were called, and the messages that were passed on. */
async function aDoor(reply: (tool: string) => Promise<CallEnd> | CallEnd) {
  const passed: string[] = [];
  const session = {
    id: "s1",
    call: async (problem: string, { tool }: { readonly tool: string }) => {
      passed.push(`${problem} ${tool}`);
      return await reply(tool);
    },
    pass: async (_path: string, { body }: { readonly body: string }) => {
      passed.push((JSON.parse(body) as { method: string }).method);
      return new Response("{}", { headers: { "content-type": "application/json" } });
    },
  } as unknown as SessionClient;
  const door: Door = openDoor({
    session,
    worker: "w1",
    turn,
    model: undefined,
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
  return { passed, post, tool, door };
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
