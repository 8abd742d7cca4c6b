import { AppError, silentLogger } from "@microremed/core";
import { expect, test } from "vitest";
import type { ChatClientOptions, ChatRequest } from "./chat.types.ts";
import { createChatClient } from "./chat-client.ts";
import { completion, type Script, type ScriptedReply, startScriptedServer } from "./testing/index.ts";

const apiKey = "sk-very-secret";
const messages: ChatRequest["messages"] = [{ role: "user", content: "hello there" }];

const clientFor = (url: string, options: Partial<ChatClientOptions> = {}) =>
  createChatClient({
    baseUrl: url,
    apiKey,
    model: "m-1",
    timeoutMs: 5_000,
    log: silentLogger,
    retry: { tries: 3, firstWaitMs: 5 },
    ...options,
  });

async function failureOf(script: Script, options: Partial<ChatClientOptions> = {}) {
  await using server = await startScriptedServer(script);
  const thrown = await clientFor(server.url, options)
    .complete({ messages })
    .catch((error: unknown) => error);
  if (!(thrown instanceof AppError)) throw new Error(`expected an AppError, got ${String(thrown)}`);
  expect(thrown.message).not.toContain(apiKey);
  return { error: thrown, requests: server.requests.length };
}

async function replyTo(reply: ScriptedReply) {
  await using server = await startScriptedServer([reply]);
  return await clientFor(server.url).complete({ messages });
}

const status = (code: number, headers: Record<string, string> = {}, body = '{"error":{"message":"no"}}') =>
  ({ kind: "body", status: code, body, headers }) satisfies ScriptedReply;

test("sends model, messages, tools, temperature and limit, and returns content with the reported usage", async () => {
  await using server = await startScriptedServer([completion({ content: "hi" })]);
  const client = clientFor(server.url, {
    headers: { "x-team": "a" },
    parameters: { seed: 7, max_tokens: null },
  });
  const tools = [{ name: "t", description: "d", parameters: { type: "object" } }];
  const reply = await client.complete({
    messages: [
      ...messages,
      { role: "assistant", content: "", toolCalls: [{ id: "1", name: "t", arguments: "{broken" }] },
      { role: "tool", toolCallId: "1", content: "result" },
    ],
    tools,
  });
  expect(reply).toEqual({
    content: "hi",
    toolCalls: [],
    finishReason: "stop",
    usage: { promptTokens: 100, completionTokens: 20 },
  });
  const [request] = server.requests;
  expect(request?.path).toBe("/v1/chat/completions");
  expect(request?.headers).toMatchObject({ authorization: `Bearer ${apiKey}`, "x-team": "a" });
  expect(request?.body).toEqual({
    model: "m-1",
    messages: [
      { role: "user", content: "hello there" },
      {
        role: "assistant",
        content: null,
        tool_calls: [
          { id: "1", type: "function", function: { name: "t", arguments: '{"invalid":"{broken"}' } },
        ],
      },
      { role: "tool", tool_call_id: "1", content: "result" },
    ],
    temperature: 0,
    seed: 7,
    tools: [{ type: "function", function: tools[0] }],
    tool_choice: "auto",
  });
});

test("an endpoint that is down is model-unreachable and names the address", async () => {
  const server = await startScriptedServer([]);
  await server[Symbol.asyncDispose]();
  await expect(clientFor(server.url).complete({ messages })).rejects.toMatchObject({
    code: "model-unreachable",
    severity: "retryable",
    message: expect.stringContaining("ECONNREFUSED"),
  });
});

test("a connection cut before the answer is tried again", async () => {
  const { error, requests } = await failureOf([{ kind: "hang-up" }]);
  expect(error.code).toBe("model-unreachable");
  expect(requests).toBe(3);
});

test.each([
  ["silence", { kind: "silence" }],
  ["a slow drip", { kind: "drip", everyMs: 20 }],
] as const)("%s ends at the deadline as model-unreachable", async (_name, reply) => {
  const startedAt = Date.now();
  const { error } = await failureOf([reply], { timeoutMs: 300 });
  expect(error).toMatchObject({
    code: "model-unreachable",
    message: expect.stringContaining("within 0.3 s"),
  });
  expect(Date.now() - startedAt).toBeLessThan(2_000);
});

test("the caller's abort ends a call at once with the caller's reason", async () => {
  await using server = await startScriptedServer([{ kind: "silence" }]);
  const controller = new AbortController();
  const call = clientFor(server.url).complete({ messages, signal: controller.signal });
  setTimeout(() => controller.abort(new Error("shutting down")), 50);
  await expect(call).rejects.toThrow("shutting down");
});

test.each([400, 401, 403, 404, 422])(
  "status %i is model-refused, terminal, and not tried again",
  async (code) => {
    const { error, requests } = await failureOf([status(code)]);
    expect(error).toMatchObject({ code: "model-refused", severity: "terminal", details: { status: code } });
    expect(requests).toBe(1);
  },
);

test("a refusal that quotes the key is redacted and clipped", async () => {
  const body = JSON.stringify({
    error: { message: `Incorrect API key provided: ${apiKey}. ${"x".repeat(50_000)}` },
  });
  const { error } = await failureOf([status(401, {}, body)]);
  expect(error.message).toContain("[redacted]");
  expect(error.message.length).toBeLessThan(1_000);
});

test.each([408, 409, 429, 500, 502, 503])(
  "status %i is tried again and then model-overloaded",
  async (code) => {
    const { error, requests } = await failureOf([status(code)]);
    expect(error).toMatchObject({ code: "model-overloaded", severity: "retryable" });
    expect(requests).toBe(3);
  },
);

test("a provider that recovers costs nothing but the wait", async () => {
  await using server = await startScriptedServer([
    status(429, { "retry-after": "0.05" }),
    status(500, {}, "<html>oops</html>"),
    completion({ content: "fine" }),
  ]);
  expect((await clientFor(server.url).complete({ messages })).content).toBe("fine");
});

test("a Retry-After beyond the deadline is handed to the caller instead of waited for", async () => {
  const startedAt = Date.now();
  const { error, requests } = await failureOf([status(429, { "retry-after": "30" })]);
  expect(error).toMatchObject({ code: "model-overloaded", retryAfterMs: 30_000 });
  expect(requests).toBe(1);
  expect(Date.now() - startedAt).toBeLessThan(2_000);
});

const whole = completion({ content: "hi" });
test.each<[string, ScriptedReply, string]>([
  ["rubbish", { kind: "body", body: "\u0000\u0001 what?" }, "broken JSON"],
  [
    "truncated JSON",
    { kind: "body", body: whole.kind === "body" ? whole.body.slice(0, 60) : "" },
    "broken JSON",
  ],
  [
    "an HTML page",
    { kind: "body", contentType: "text/html", body: "<html></html>" },
    "is text/html, not JSON",
  ],
  ["an empty body", { kind: "body", body: "" }, "(empty)"],
  ["empty choices", { kind: "body", body: '{"choices":[]}' }, "choices: no choices"],
  ["a null", { kind: "body", body: "null" }, "is no chat completion"],
  ["an error in a 200", { kind: "body", body: '{"error":{"message":"quota"}}' }, "quota"],
  ["a huge reply", { kind: "body", body: " ".repeat(1_100_000) }, "larger than 1048576 bytes"],
])("%s is model-garbled", async (_name, reply, words) => {
  const { error, requests } = await failureOf([reply]);
  expect(error).toMatchObject({ code: "model-garbled", message: expect.stringContaining(words) });
  expect(error.message.length).toBeLessThan(1_000);
  expect(requests).toBe(3);
});

test("JSON under a wrong content type is taken for what it is", async () => {
  const reply = await replyTo({
    ...completion({ content: "hi" }),
    contentType: "text/plain",
  } as ScriptedReply);
  expect(reply.content).toBe("hi");
});

test("tool calls keep their ids, order and bad JSON, objects become text, and missing ids are made up", async () => {
  const reply = await replyTo(
    completion({
      toolCalls: [
        { id: "a", name: "probe_system", arguments: '{"command":"kubectl get pods"}' },
        { id: "a", name: "probe_system", arguments: { command: "x" } },
        { id: "", name: "print_playbook", arguments: "{nonsense" },
        { id: "d", name: "nothing", arguments: null },
      ],
    }),
  );
  expect(reply.toolCalls).toEqual([
    { id: "a", name: "probe_system", arguments: '{"command":"kubectl get pods"}' },
    { id: "call-1-1", name: "probe_system", arguments: '{"command":"x"}' },
    { id: "call-1-2", name: "print_playbook", arguments: "{nonsense" },
    { id: "d", name: "nothing", arguments: "" },
  ]);
  expect(reply.finishReason).toBe("tool_calls");
});

test("content in parts is joined, and usage that is missing is estimated at four characters a token", async () => {
  const body = {
    choices: [
      {
        message: {
          content: [
            { type: "text", text: "eight " },
            { type: "text", text: "ch" },
          ],
        },
      },
    ],
  };
  expect(await replyTo({ kind: "body", body: JSON.stringify(body) })).toEqual({
    content: "eight ch",
    toolCalls: [],
    finishReason: "unknown",
    usage: { promptTokens: 2, completionTokens: 2 },
  });
});
