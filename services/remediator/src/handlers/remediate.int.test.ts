import { Budgets, type ChatMessage, type RemediateCommand } from "@microremed/contracts";
import { silentLogger } from "@microremed/core";
import { createChatClient, createModels } from "@microremed/llm";
import { completion, type Script, startScriptedServer } from "@microremed/llm/testing";
import { expect, test } from "vitest";
import { type RemediateDeps, remediate } from "./remediate.ts";

const command: RemediateCommand = {
  experimentId: "exp-1",
  episodeId: "exp-1.0003",
  trial: 1,
  attempt: 1,
  arena: { cluster: "sim-0", slot: 0, namespace: "shop-1", fence: 4 },
  environment: "online-boutique",
  failure: "cpu-stress",
  target: "cartservice",
  method: "ThinkRemed",
  model: "some-model",
  maxAttempts: 2,
  maxProbes: 3,
  probeSeconds: 10,
  modelSeconds: 1,
  budgets: Budgets.parse({}),
  playbook: null,
  seed: "1/3",
  feedback: null,
};
const context = { signal: new AbortController().signal, log: silentLogger, fields: {} };
const playbook = "- hosts: k3s_control_plane\n  tasks: []\n";

async function remediateWith(script: Script, order: RemediateCommand = command) {
  await using server = await startScriptedServer(script);
  const stored: ChatMessage[] = [];
  const probed: unknown[] = [];
  const deps: RemediateDeps = {
    models: createModels({ env: {}, fallback: { baseUrl: server.url, apiKey: "sk-secret" } }),
    connectModel: (endpoint, timeoutMs) =>
      createChatClient({ ...endpoint, timeoutMs, log: silentLogger, retry: { tries: 2, firstWaitMs: 5 } }),
    conversations: {
      read: async () => [...stored],
      append: async (_key, expectedLength, messages) => {
        expect(expectedLength).toBe(stored.length);
        stored.push(...messages);
      },
    },
    awaitPlaybook: async () => false,
    probe: async (request) => {
      probed.push(request);
      return { status: "ok", exitCode: 0, output: "fine" };
    },
  };
  const body = await remediate(order, deps, context);
  return { body, stored, probed, requests: server.requests };
}

test("probes through the executor and returns the playbook with the provider's usage", async () => {
  const { body, probed, requests } = await remediateWith([
    completion({ toolCalls: [{ name: "probe_system", arguments: { command: "kubectl get pods" } }] }),
    completion({ toolCalls: [{ name: "print_playbook", arguments: JSON.stringify({ playbook }) }] }),
  ]);
  expect(body).toMatchObject({
    status: "playbook",
    playbook,
    source: "tool-call",
    usage: { calls: 2, promptTokens: 200, completionTokens: 40 },
    probes: 1,
  });
  const { episodeId, arena } = command;
  expect(probed).toEqual([
    { episodeId, arena, probe: { kind: "command", command: "kubectl get pods" }, timeoutSeconds: 10 },
  ]);
  expect(requests[1]?.body["messages"]).toHaveLength(4);
});

test("a model that calls no tool gives none, with the reason", async () => {
  const { body } = await remediateWith([completion({ content: "I cannot help." })]);
  expect(body).toMatchObject({
    status: "no-playbook",
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
  const startedAt = Date.now();
  await expect(remediateWith(script)).rejects.toMatchObject({
    code,
    message: expect.not.stringContaining("sk-secret"),
  });
  expect(Date.now() - startedAt).toBeLessThan(3_000);
});

test("unknown methods and models are named with the known ones", async () => {
  await expect(remediateWith([], { ...command, method: "Magic" })).rejects.toMatchObject({
    code: "unknown-method",
  });
  await expect(remediateWith([], { ...command, model: "reference/magic" })).rejects.toMatchObject({
    code: "unknown-model",
  });
});
