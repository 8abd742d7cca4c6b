import { Budgets, type ChatMessage, type SolveCommand } from "@microremed/contracts";
import { silentLogger } from "@microremed/core";
import { createChatClient } from "@microremed/llm/chat-client";
import { builtInCatalogue } from "@microremed/registry";
import { solve } from "@microremed/solving";
import { expect, test } from "vitest";
import { startReferenceModels } from "./start-reference-models.ts";

const { faults: known } = await builtInCatalogue();
const faults = known.all();

const command = (model: string, method: string): SolveCommand => ({
  experimentId: "exp-1",
  episodeId: "exp-1.0000",
  trial: 1,
  attempt: 1,
  arena: { cluster: "sim-0", slot: 0, namespace: "shop-1", fence: 1 },
  environment: "online-boutique",
  failure: "cpu-stress",
  target: "cartservice",
  method,
  model,
  maxAttempts: 2,
  maxProbes: 3,
  probeSeconds: 10,
  modelSeconds: 10,
  budgets: Budgets.parse({}),
  playbook: null,
  seed: "1",
  feedback: null,
});

async function playTurn(url: string, order: SolveCommand, stored: ChatMessage[] = []) {
  return solve(order, {
    catalogue: await builtInCatalogue(),
    conversation: [...stored],
    chat: createChatClient({
      baseUrl: url,
      apiKey: null,
      model: order.model,
      timeoutMs: 5_000,
      log: silentLogger,
    }),
    ask: async () => ({ status: "ok", exitCode: 0, output: "stresschaos.chaos-mesh.org/burn\n" }),
    awaitPlaybook: async () => false,
    now: () => 0,
    append: async (messages) => {
      stored.push(...messages);
    },
    log: silentLogger,
    signal: new AbortController().signal,
  });
}

test("every policy gives both methods a playbook over HTTP, and the same one each time", async () => {
  await using models = await startReferenceModels({ faults });
  for (const model of ["reference/learned", "reference/noop", "reference/restart", "reference/runbook"]) {
    for (const method of ["SoloGen", "ThinkRemed"]) {
      const result = await playTurn(models.url, command(model, method));
      expect(result).toMatchObject({ status: "act", source: "tool-call" });
      const again = await playTurn(models.url, command(model, method));
      // What was observed also says when, and an answer takes another time.
      const timeless = (turn: typeof result) => ({
        ...turn,
        observations: [],
        usage: { ...turn.usage, modelSeconds: 0 },
      });
      expect(timeless(again)).toEqual(timeless(result));
    }
  }
});

test("runbook probes with ThinkRemed, and on the second attempt does more", async () => {
  await using models = await startReferenceModels({ faults });
  const stored: ChatMessage[] = [];
  const order = command("reference/runbook", "ThinkRemed");
  const first = await playTurn(models.url, order, stored);
  expect(first).toMatchObject({
    probes: 1,
    usage: { calls: 2 },
    arguments: { playbook: expect.stringContaining("stresschaos.chaos-mesh.org/burn") },
  });
  const feedback = { execution: "ok=1", recovered: false };
  const second = await playTurn(models.url, { ...order, attempt: 2, feedback }, stored);
  expect(second).toMatchObject({
    probes: 1,
    arguments: { playbook: expect.stringContaining("rollout restart") },
  });
});

const ask = async (url: string, body: unknown, path = "/chat/completions") => {
  const response = await fetch(`${url}${path}`, {
    method: "POST",
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  return { status: response.status, text: await response.text() };
};
const hello = { model: "reference/noop", messages: [{ role: "user", content: "hello" }] };

test("bad requests are answered with what is wrong", async () => {
  await using models = await startReferenceModels({ faults });
  const { url } = models;
  expect(await ask(url, "{")).toMatchObject({ status: 400, text: expect.stringContaining("not JSON") });
  expect(await ask(url, { model: "reference/noop" })).toMatchObject({
    status: 400,
    text: expect.stringContaining("messages"),
  });
  expect(await ask(url, { ...hello, model: "gpt-9" })).toMatchObject({
    status: 404,
    text: expect.stringContaining("reference/runbook"),
  });
  expect(await ask(url, { ...hello, stream: "yes" })).toMatchObject({
    status: 400,
    text: expect.stringContaining("stream"),
  });
  expect(await ask(url, {}, "/embeddings")).toMatchObject({ status: 404 });
  expect(await ask(url, " ".repeat(17 * 2 ** 20))).toMatchObject({ status: 413 });
  expect((await fetch(`${url}/chat/completions`)).status).toBe(405);
});

test("a chat without a failure report gets prose, and usage adds up", async () => {
  await using models = await startReferenceModels({ faults });
  const reply = JSON.parse((await ask(models.url, hello)).text);
  expect(reply.choices[0].message.content).toContain("not a language model");
  expect(reply.usage.total_tokens).toBe(reply.usage.prompt_tokens + reply.usage.completion_tokens);
});

test("a stream says the same, and texts may come in parts", async () => {
  await using models = await startReferenceModels({ faults });
  const report = "Failure report. The system runs in the namespace shop-1.";
  const parts = [
    { type: "text", text: "Failure report." },
    { type: "text", text: report.slice(16) },
  ];
  for (const [model, tools] of [
    ["reference/noop", []],
    ["reference/runbook", [{ type: "function", function: { name: "exec_shell" } }]],
  ] as const) {
    const request = { model, tools, messages: [{ role: "user", content: report }] };
    const { choices, usage } = JSON.parse((await ask(models.url, request)).text);
    const messages = [{ role: "user", content: parts }];
    const { text } = await ask(models.url, { ...request, messages, stream: true });
    const events = text.trimEnd().split("\n\n");
    expect(events.pop()).toBe("data: [DONE]");
    const chunks = events.map((event) => JSON.parse(event.replace(/^data: /, "")));
    const [{ delta }] = chunks[0].choices;
    const calls = delta.tool_calls?.map(({ index: _, ...call }: { index: number }) => call);
    expect({ ...delta, ...(calls && { tool_calls: calls }) }).toEqual(choices[0].message);
    expect(chunks[1].choices[0].finish_reason).toBe(choices[0].finish_reason);
    expect(chunks[2]).toMatchObject({ choices: [], usage: { completion_tokens: usage.completion_tokens } });
  }
});

test("a repair that was made is not made again, however the client writes its arguments", async () => {
  await using models = await startReferenceModels({ faults });
  const report = [
    "# Failure report",
    "Environment: online-boutique",
    "Namespace: shop-1",
    "Failure category: cpu-stress",
    "Failed service: cartservice",
  ].join("\n");
  const tools = ["exec_shell", "submit"].map((name) => ({ type: "function", function: { name } }));
  const messages: Record<string, unknown>[] = [{ role: "user", content: report }];
  const called: string[] = [];
  for (const spaces of [0, 1, 0]) {
    const { choices } = JSON.parse(
      (await ask(models.url, { model: "reference/runbook", tools, messages })).text,
    );
    const [call] = choices[0].message.tool_calls;
    const args = JSON.stringify(JSON.parse(call.function.arguments), null, spaces);
    called.push(call.function.name);
    messages.push({
      role: "assistant",
      tool_calls: [{ ...call, function: { name: call.function.name, arguments: args } }],
    });
    messages.push({ role: "tool", tool_call_id: call.id, content: "done" });
  }
  expect(called).toEqual(["exec_shell", "exec_shell", "submit"]);
});

test("lists its models as rule-based", async () => {
  await using models = await startReferenceModels({ faults });
  const list = await (await fetch(`${models.url}/models`)).json();
  expect(list).toMatchObject({
    data: [
      { id: "reference/expert", owned_by: "rule-based" },
      { id: "reference/learned", owned_by: "small-network" },
      ...[{}, {}, {}, {}],
    ],
  });
});
