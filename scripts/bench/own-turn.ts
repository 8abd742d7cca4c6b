import { silentLogger as log } from "@microremed/core";
import { type ChatClient, createModels } from "@microremed/llm";
import { builtInCatalogue } from "@microremed/registry";
import { type ChatMessage, SolveCommand, StageResult } from "../../libs/contracts/src/index.ts";
import { remediate } from "../../services/remediator/src/handlers/remediate.ts";

const turns = 2_000;
const warmUp = 500;

/**
 * CPU ms of a remediator's own work on a ThinkRemed turn with one probe: the command parsed, two answers of a model and
 * their tool messages, the conversation as it is stored, the result checked. Model, bus and Redis answer from memory.
 */
export async function ownTurnCpuMs(command: SolveCommand): Promise<number> {
  const wire = JSON.stringify({ ...command, method: "ThinkRemed", maxProbes: 3 });
  const play = async (): Promise<void> => {
    const stored: string[] = [];
    const body = await remediate(
      SolveCommand.parse(JSON.parse(wire)),
      {
        catalogue: await builtInCatalogue(),
        models: createModels({ env: {}, fallback: { baseUrl: "http://none/v1", apiKey: null } }),
        connectModel: () => aModel(),
        conversations: {
          read: async () => stored.map((text): ChatMessage => JSON.parse(text)),
          append: async (_key, _length, messages) => {
            stored.push(...messages.map((message) => JSON.stringify(message)));
          },
        },
        ask: async () => ({ status: "ok", exitCode: 0, output: "pod/cart-0 Running\n".repeat(50) }),
        awaitPlaybook: async () => false,
        serveSeat: () => Promise.reject(new Error("no outside agent has this turn")),
      },
      { signal: new AbortController().signal, log, fields: {} },
    );
    const { experimentId, episodeId, trial, attempt } = command;
    JSON.stringify(StageResult.parse({ stage: "solve", experimentId, episodeId, trial, attempt, body }));
  };
  for (let turn = 0; turn < warmUp; turn++) await play();
  const before = process.cpuUsage();
  for (let turn = 0; turn < turns; turn++) await play();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / turns;
}

function aModel(): ChatClient {
  const answers = [
    { name: "probe_system", arguments: '{"command":"kubectl get pods"}' },
    { name: "print_playbook", arguments: JSON.stringify({ playbook: "- hosts: all\n  tasks: []\n" }) },
  ];
  let next = 0;
  return {
    model: "m",
    complete: async () => ({
      content: "",
      toolCalls: [{ id: "a", ...(answers[next++] ?? { name: "", arguments: "" }) }],
      usage: { promptTokens: 100, completionTokens: 20, cachedTokens: 0, reasoningTokens: 0, cost: 0 },
      exchange: {
        model: "m",
        endpoint: "http://none/v1",
        dialect: "compatible",
        tools: ["probe_system", "print_playbook"],
        settings: { temperature: 0, max_tokens: 8192 },
        startedAt: 0,
        milliseconds: 500,
        waitedMs: 0,
        failedTries: [],
        finishReason: "tool_calls",
        usageReported: true,
        callsInText: false,
      },
    }),
  };
}
