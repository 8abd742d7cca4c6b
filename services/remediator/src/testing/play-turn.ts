import { Budgets, type ChatMessage, type ProbeRequest, type SolveCommand } from "@microremed/contracts";
import { silentLogger } from "@microremed/core";
import { createModels, type ModelEndpoint } from "@microremed/llm";
import { createChatClient } from "@microremed/llm/chat-client";
import { type Script, startScriptedServer } from "@microremed/llm/testing";
import { builtInCatalogue } from "@microremed/registry";
import { type RemediateDeps, remediate } from "../handlers/remediate.ts";

export const aCommand: SolveCommand = {
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

/** One turn against a server that answers by the script; its key is `sk-secret`. */
export async function playTurn(
  script: Script,
  options: {
    order?: Partial<SolveCommand>;
    endpoint?: Partial<ModelEndpoint>;
    stored?: readonly ChatMessage[];
  } = {},
) {
  await using server = await startScriptedServer(script);
  const stored: ChatMessage[] = [...(options.stored ?? [])];
  const probed: ProbeRequest[] = [];
  const models = createModels({ env: {}, fallback: { baseUrl: server.url, apiKey: "sk-secret" } });
  const deps: RemediateDeps = {
    catalogue: await builtInCatalogue(),
    models: { resolve: (name) => ({ ...models.resolve(name), ...options.endpoint }) },
    connectModel: (endpoint, { timeoutMs }) =>
      createChatClient({ ...endpoint, timeoutMs, log: silentLogger, retry: { tries: 2, firstWaitMs: 5 } }),
    conversations: {
      read: async () => [...stored],
      append: async (_key, expectedLength, messages) => {
        if (expectedLength !== stored.length) throw new Error(`${expectedLength} is not ${stored.length}`);
        stored.push(...messages);
      },
    },
    awaitPlaybook: async () => false,
    serveSeat: () => Promise.reject(new Error("no outside agent has this turn")),
    ask: async (request) => {
      probed.push(request);
      return { status: "ok", exitCode: 0, output: "fine" };
    },
  };
  const context = { signal: new AbortController().signal, log: silentLogger, fields: {} };
  const body = await remediate({ ...aCommand, ...options.order }, deps, context);
  return { body, stored, probed, requests: server.requests };
}
