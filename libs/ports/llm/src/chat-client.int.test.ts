import { AppError, silentLogger } from "@microremed/core";
import { expect, test } from "vitest";
import type { CallGate } from "./call-gate.ts";
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
    usage: { promptTokens: 100, completionTokens: 20, cachedTokens: 0, reasoningTokens: 0, cost: null },
    exchange: {
      model: "m-1",
      endpoint: server.url,
      dialect: "compatible",
      tools: ["t"],
      settings: { temperature: 0, seed: 7, tool_choice: "auto" },
      startedAt: expect.any(Number),
      milliseconds: expect.any(Number),
      waitedMs: 0,
      failedTries: [],
      finishReason: "stop",
      usageReported: true,
      callsInText: false,
    },
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
  const { error } = await failureOf([reply], { timeoutMs: 300 });
  expect(error).toMatchObject({
    code: "model-unreachable",
    message: expect.stringContaining("within 0.3 s"),
  });
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
  const { error, requests } = await failureOf([status(429, { "retry-after": "30" })]);
  expect(error).toMatchObject({ code: "model-overloaded", retryAfterMs: 30_000 });
  expect(requests).toBe(1);
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
])("%s is model-garbled", async (_name, reply, words) => {
  const { error, requests } = await failureOf([reply]);
  expect(error).toMatchObject({ code: "model-garbled", message: expect.stringContaining(words) });
  expect(error.message.length).toBeLessThan(1_000);
  expect(requests).toBe(3);
});

test("an answer that is too large is the model's, and is not asked for again", async () => {
  const { error, requests } = await failureOf([{ kind: "body", body: " ".repeat(1_100_000) }]);
  expect(error).toMatchObject({
    code: "model-answer-too-large",
    message: expect.stringContaining("larger than 1048576 bytes"),
  });
  expect(requests).toBe(1);
});

test("a page of any size with an error's status is the provider's", async () => {
  const { error } = await failureOf([{ kind: "body", status: 503, body: "x".repeat(1_100_000) }]);
  expect(error).toMatchObject({ code: "model-overloaded" });
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
  expect(reply.exchange.finishReason).toBe("tool_calls");
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
  expect(await replyTo({ kind: "body", body: JSON.stringify(body) })).toMatchObject({
    content: "eight ch",
    toolCalls: [],
    usage: { promptTokens: 2, completionTokens: 2 },
    exchange: { finishReason: "unknown", usageReported: false },
  });
});

test("usage is taken to the token, cached and reasoning tokens apart, and money from it", async () => {
  const usage = {
    prompt_tokens: 1_000,
    completion_tokens: 300,
    total_tokens: 1_300,
    prompt_tokens_details: { cached_tokens: 600 },
    completion_tokens_details: { reasoning_tokens: 250 },
  };
  await using server = await startScriptedServer([completion({ content: "hi" }, { usage })]);
  const prices = { input: 2, cachedInput: 0.5, output: 8 };
  const reply = await clientFor(server.url, { prices }).complete({ messages });
  expect(reply.usage).toEqual({
    promptTokens: 1_000,
    completionTokens: 300,
    cachedTokens: 600,
    reasoningTokens: 250,
    cost: (400 * 2 + 600 * 0.5 + 300 * 8) / 1e6,
  });
});

test("thinking that a provider counts beside the completion is counted in it", async () => {
  const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 40 };
  await using server = await startScriptedServer([completion({ content: "hi" }, { usage })]);
  const reply = await clientFor(server.url, { dialect: "gemini" }).complete({ messages });
  expect(reply.usage).toMatchObject({ promptTokens: 10, completionTokens: 30, reasoningTokens: 25 });
});

test.each([
  '{"error":{"code":"context_length_exceeded","message":"too big"}}',
  '{"error":{"message":"This model\'s maximum context length is 8192 tokens"}}',
  '{"error":{"message":"prompt is too long: 210000 tokens > 200000 maximum"}}',
])("a conversation that no longer fits is distinguished from other refusals: %s", async (body) => {
  const { error, requests } = await failureOf([status(400, {}, body)]);
  expect(error).toMatchObject({ code: "model-context-exceeded", severity: "terminal" });
  expect(requests).toBe(1);
});

test("an answer is given no more tokens than the context leaves", async () => {
  await using server = await startScriptedServer([completion({ content: "hi" })]);
  const client = clientFor(server.url, { contextTokens: 4_000 });
  await client.complete({ messages: [{ role: "user", content: "x".repeat(8_000) }] });
  await client.complete({ messages: [{ role: "user", content: "x".repeat(80_000) }] });
  expect(server.requests.map(({ body }) => body["max_tokens"])).toEqual([1_799, 256]);
});

test("thinking is kept, and sent back with its calls where a provider insists", async () => {
  const thought = {
    choices: [
      {
        finish_reason: "tool_calls",
        message: {
          content: null,
          reasoning_content: "hm",
          tool_calls: [
            {
              id: "a",
              type: "function",
              function: { name: "t", arguments: "{}" },
              extra_content: { google: { thought_signature: "sig" } },
            },
          ],
        },
      },
    ],
  };
  await using server = await startScriptedServer([
    { kind: "body", body: JSON.stringify(thought) },
    completion({ content: "done" }),
  ]);
  const client = clientFor(server.url, { dialect: "deepseek" });
  const { content, toolCalls, reasoning = "" } = await client.complete({ messages });
  await client.complete({
    messages: [...messages, { role: "assistant", content, toolCalls: [...toolCalls], reasoning }],
  });
  expect(server.requests[1]?.body["messages"]).toMatchObject([
    {},
    {
      reasoning_content: "hm",
      tool_calls: [{ id: "a", extra_content: { google: { thought_signature: "sig" } } }],
    },
  ]);
});

test("every try passes the gate, which records answers and the provider's failures", async () => {
  const seen: string[] = [];
  const gate: CallGate = {
    enter: async (tokens) => {
      seen.push(`enter ${tokens}`);
      return { allMs: 40, failingMs: 0 };
    },
    answered: async (more) => void seen.push(`answered ${more}`),
    failed: async (ms) => void seen.push(`failed ${ms}`),
  };
  await using server = await startScriptedServer([
    status(429, { "retry-after-ms": "10" }),
    status(500),
    completion({ content: "fine" }),
  ]);
  const reply = await clientFor(server.url, { gate }).complete({ messages });
  expect(seen).toEqual([
    "enter 1002",
    "failed 10",
    "enter 1002",
    "failed undefined",
    "enter 1002",
    "answered -882",
  ]);
  expect(reply.exchange).toMatchObject({
    failedTries: [{ code: "model-overloaded" }, { code: "model-overloaded" }],
    waitedMs: 3 * 40 + 10 + 10,
  });
});
