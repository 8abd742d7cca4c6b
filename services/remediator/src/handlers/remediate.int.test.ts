import { completion, type Script } from "@microremed/llm/testing";
import { expect, test } from "vitest";
import { aCommand, playTurn } from "../testing/play-turn.ts";

const playbook = "- hosts: k3s_control_plane\n  tasks: []\n";

test("probes through the executor and returns the playbook with the provider's usage", async () => {
  const { body, probed, requests } = await playTurn([
    completion({ toolCalls: [{ name: "probe_system", arguments: { command: "kubectl get pods" } }] }),
    completion({ toolCalls: [{ name: "print_playbook", arguments: JSON.stringify({ playbook }) }] }),
  ]);
  expect(body).toMatchObject({
    status: "act",
    tool: "run_playbook",
    arguments: { playbook },
    source: "tool-call",
    usage: { calls: 2, promptTokens: 200, completionTokens: 40 },
    probes: 1,
  });
  const { episodeId, arena } = aCommand;
  expect(probed).toEqual([
    { episodeId, arena, probe: { kind: "command", command: "kubectl get pods" }, timeoutSeconds: 10 },
  ]);
  expect(requests[1]?.body["messages"]).toHaveLength(4);
});

test("a model that calls no tool gives none, with the reason", async () => {
  const { body } = await playTurn([completion({ content: "I cannot help." })]);
  expect(body).toMatchObject({
    status: "nothing",
    reason: expect.stringContaining("neither a tool call"),
  });
});

test.each<[string, Script, string]>([
  ["hangs up", [{ kind: "hang-up" }], "model-unreachable"],
  ["drips", [{ kind: "drip", everyMs: 50 }], "model-unreachable"],
  [
    "refuses the key",
    [{ kind: "body", status: 401, body: '{"error":{"message":"bad key sk-secret"}}' }],
    "model-refused",
  ],
  ["is overloaded", [{ kind: "body", status: 429, body: "{}" }], "model-overloaded"],
  ["is broken", [{ kind: "body", status: 500, body: "oops" }], "model-overloaded"],
  ["answers rubbish", [{ kind: "body", body: "<html>" }], "model-garbled"],
])("an endpoint that %s is the endpoint's failure and not the model's", async (_name, script, code) => {
  await expect(playTurn(script)).rejects.toMatchObject({
    code,
    message: expect.not.stringContaining("sk-secret"),
  });
});

test("unknown methods and models are named with the known ones", async () => {
  await expect(playTurn([], { order: { method: "Magic" } })).rejects.toMatchObject({
    code: "unknown-method",
  });
  await expect(playTurn([], { order: { model: "reference/magic" } })).rejects.toMatchObject({
    code: "unknown-model",
  });
});

test("the result says how the model was asked and what in that is not the default", async () => {
  const script = [completion({ toolCalls: [{ name: "print_playbook", arguments: { playbook } }] })];
  const endpoint = { temperature: null, reasoning: "high", parameters: { top_p: 0.9 } } as const;
  expect((await playTurn(script)).body).toMatchObject({
    settings: {
      stated: "temperature 0, at most 8192 tokens an answer, reasoning as the provider has it, tools",
      deviations: [],
    },
  });
  expect((await playTurn(script, { endpoint })).body).toMatchObject({
    settings: { deviations: ["temperature of the provider's choice", "reasoning high", "top_p = 0.9"] },
  });
});

test("money is not bounded by guessing: a model without prices is refused before it is asked", async () => {
  const order = { budgets: { ...aCommand.budgets, cost: 1 } };
  await expect(playTurn([], { order })).rejects.toMatchObject({
    code: "invalid-config",
    message: expect.stringContaining("no prices"),
  });
  const script = [completion({ toolCalls: [{ name: "print_playbook", arguments: { playbook } }] })];
  const { body } = await playTurn(script, { order, endpoint: { prices: { input: 10, output: 20 } } });
  expect(body).toMatchObject({ usage: { cost: (100 * 10 + 20 * 20) / 1e6 } });
});

test("an agent's own settings are sent and stated; what the models file sets otherwise goes before them", async () => {
  const done = [completion({ toolCalls: [{ name: "submit", arguments: "{}" }] })];
  const order = { method: "GPT-with-shell" };
  const usual = await playTurn(done, { order });
  expect(usual.requests[0]?.body).toMatchObject({ temperature: 0.5, top_p: 0.95, max_tokens: 1024 });
  expect(usual.body).toMatchObject({
    status: "done",
    settings: {
      deviations: [
        "temperature 0.5",
        "at most 1024 tokens an answer",
        "top_p = 0.95",
        "history cut to 120000 tokens",
      ],
    },
  });
  const own = { temperature: null, maxTokens: 4000, parameters: { top_p: 0.5 } };
  const { requests } = await playTurn(done, { order, endpoint: own });
  expect(requests[0]?.body).toMatchObject({ top_p: 0.5, max_tokens: 4000 });
  expect(requests[0]?.body).not.toHaveProperty("temperature");
});
