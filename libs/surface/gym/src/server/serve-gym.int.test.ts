import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { expect, test } from "vitest";
import { submitted, typed } from "../testing/a-gym.ts";
import { serveGym } from "./serve-gym.ts";

const trainerToken = "the-trainers-own-token";
const fault = { fault: "pod-fail", environment: "simple-micro", seed: 3 };
const repair = typed("kubectl delete podchaos --all");

const served = (options: object = {}) =>
  serveGym({
    ...{
      host: "127.0.0.1",
      port: 0,
      workers: 1,
      most: 8,
      idleMs: 600_000,
      resetSeconds: 600,
      stepSeconds: 600,
    },
    ...{ trainerToken, agentToken: undefined, order: { catalogues: [] } },
    ...options,
  });

interface Reply {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: whatever the server says
  readonly body: any;
}

async function ask(
  url: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Reply> {
  const init =
    body === undefined
      ? { headers }
      : {
          method: "POST",
          body: JSON.stringify(body),
          headers: { "content-type": "application/json", ...headers },
        };
  const reply = await fetch(`${url}${path}`, init);
  return { status: reply.status, body: await reply.json() };
}

/** A connection that sends one message at a time. */
async function connected(url: string) {
  const socket = new WebSocket(`${url.replace("http", "ws")}/ws`);
  const come: Reply["body"][] = [];
  const awaited: ((reply: Reply["body"]) => void)[] = [];
  socket.addEventListener("message", ({ data }) => {
    const reply = JSON.parse(String(data));
    const taker = awaited.shift();
    if (taker) taker(reply);
    else come.push(reply);
  });
  const next = async (): Promise<Reply["body"]> =>
    come.shift() ?? new Promise<Reply["body"]>((resolve) => awaited.push(resolve));
  await new Promise((resolve) => socket.addEventListener("open", resolve, { once: true }));
  const send = (message: unknown) => {
    const reply = next();
    socket.send(typeof message === "string" ? message : JSON.stringify(message));
    return reply;
  };
  return { socket, send, next };
}

test("over HTTP: an episode, its fork, its truth for the trainer alone, and what is asked wrongly", async () => {
  await using gym = await served();
  const { url } = gym;
  expect(await ask(url, "/health")).toMatchObject({
    status: 200,
    body: { status: "healthy", max_sessions: 8 },
  });
  expect((await ask(url, "/schema")).body).toMatchObject({
    action: expect.anything(),
    observation: { type: "object" },
    state: { type: "object" },
  });
  expect((await ask(url, "/metadata")).body).toMatchObject({
    name: "microremed",
    description: expect.any(String),
  });
  const { body: first } = await ask(url, "/reset", fault);
  // Nothing else: OpenEnv's models forbid it.
  expect(Object.keys(first)).toEqual(["observation", "reward", "done"]);
  const { episode_id } = first.observation;
  const forked = await ask(url, "/fork", { episode_id, n: 2 });
  expect(forked.body.forks).toHaveLength(2);
  const step = (action: unknown, id = episode_id) =>
    ask(url, "/step", { episode_id: id, action, timeout_s: 600, request_id: "r" });
  await step(repair);
  expect((await step(submitted)).body).toMatchObject({
    done: true,
    observation: { reward_parts: { clean: 1 } },
  });
  const other = await step(submitted, forked.body.forks[0].observation.episode_id);
  expect(other.body).toMatchObject({ done: true, observation: { reward_parts: { clean: 0 } } });

  const state = `/state?episode_id=${episode_id}`;
  expect((await ask(url, state)).body).toEqual({ episode_id, step_count: 2, done: true });
  const known = await ask(url, state, undefined, { authorization: `Bearer ${trainerToken}` });
  expect(known.body).toMatchObject({
    case: { fault: "pod-fail" },
    outcome: "remediated",
    truth: [expect.anything()],
  });
  expect(await ask(url, state, undefined, { authorization: "Bearer guessed" })).toMatchObject({
    status: 401,
  });

  const refused = async (path: string, body: unknown, status: number, words: RegExp) => {
    const reply = await ask(url, path, body);
    expect([path, reply.status, reply.body.detail]).toEqual([path, status, expect.stringMatching(words)]);
  };
  await refused("/step", { episode_id, action: submitted }, 422, /is over: reset begins another/);
  await refused("/step", { episode_id: "none", action: submitted }, 404, /there is no episode "none"/);
  await refused("/step", { action: submitted }, 422, /episode_id/);
  await refused("/step", { episode_id, action: { tol: 1 } }, 422, /"tool": ..., "arguments"/);
  await refused("/reset", { fault: "pod-fial" }, 422, /pod-fial/);
  await refused("/reset", { suite: "easy" }, 422, /"easy".*easy@1/);
  await refused("/fork", { episode_id, n: 1_000 }, 422, /from 1 to 256/);
  expect((await ask(url, "/cases?suite=easy@1")).body).toEqual({ suite: "easy@1", cases: 23 });
  for (const [query, words] of [
    ["suite=easy", /easy@1/],
    ["suite=no-such@1", /no-such@1/],
    ["", /suite/],
    ["suite=easy@1&of=all", /of/],
  ] as const)
    expect(await ask(url, `/cases?${query}`)).toMatchObject({
      status: 422,
      body: { detail: expect.stringMatching(words) },
    });
  await refused("/nowhere", {}, 404, /there is no POST \/nowhere; there are POST \/reset/);
  const broken = await fetch(`${url}/reset`, {
    method: "POST",
    body: "{",
    headers: { "content-type": "application/json" },
  });
  expect(broken.status).toBe(400);
});

test("over WebSockets: one episode a connection, messages of OpenEnv and their errors, forks, and capacity", async () => {
  await using gym = await served({ most: 2 });
  const { url } = gym;
  const { socket, send } = await connected(url);
  const error = async (message: unknown, code: string, words: RegExp) =>
    expect(await send(message)).toEqual({
      type: "error",
      data: expect.objectContaining({ code, message: expect.stringMatching(words) }),
    });
  await error("{", "INVALID_JSON", /no JSON/);
  await error({ type: "jump" }, "UNKNOWN_TYPE", /reset, step, state, fork, close/);
  await error({ type: "step" }, "VALIDATION_ERROR", /data/);
  await error({ type: "step", data: submitted }, "EXECUTION_ERROR", /send a reset first/);
  expect(await send({ type: "state" })).toEqual({
    type: "state",
    data: { episode_id: null, step_count: 0, done: false },
  });
  expect(await send({ type: "reset", data: fault })).toMatchObject({
    type: "observation",
    data: { reward: null, done: false },
  });
  const forks = await send({ type: "fork", data: { n: 1 } });
  expect(forks).toMatchObject({ type: "fork", data: { episodes: [expect.any(String)] } });
  await error({ type: "fork", data: { n: 1 } }, "CAPACITY_REACHED", /2 of 2 episodes are open/);
  expect(await send({ type: "step", data: repair })).toMatchObject({
    type: "observation",
    data: { done: false },
  });

  const second = await connected(url);
  const [fork] = forks.data.episodes;
  expect(await second.send({ type: "reset", data: { fork } })).toMatchObject({
    type: "observation",
    data: { observation: { step_count: 0 } },
  });
  const third = await connected(url);
  expect(await third.next()).toMatchObject({ type: "error", data: { code: "CAPACITY_REACHED" } });
  second.socket.close();
  await expect.poll(async () => (await ask(url, "/health")).body.active_sessions).toBe(1);
  const closed = new Promise((resolve) => socket.addEventListener("close", resolve, { once: true }));
  socket.send(JSON.stringify({ type: "close" }));
  await closed;
  await expect.poll(async () => (await ask(url, "/health")).body.active_sessions).toBe(0);
});

test("over MCP: a client of the SDK begins an episode, lists its tools and calls them", async () => {
  await using gym = await served();
  const client = new Client({ name: "test", version: "1" });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${gym.url}/mcp`)) as never);
  const names = async () => (await client.listTools()).tools.map(({ name }) => name);
  expect(await names()).toEqual(["new_episode"]);
  const call = (name: string, args: object) => client.callTool({ name, arguments: { ...args } });
  await expect(call("exec_shell", { command: "kubectl get pods" })).rejects.toThrow(/call new_episode first/);
  expect(JSON.stringify(await call("new_episode", fault))).toContain("Failed service");
  expect(await names()).toEqual(expect.arrayContaining(["new_episode", "exec_shell", "submit"]));
  await call("exec_shell", repair.arguments);
  expect(await call("submit", {})).toMatchObject({
    structuredContent: { done: true, reward: expect.any(Number) },
  });
  await client.close();
});
