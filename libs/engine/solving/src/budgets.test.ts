import { Budgets } from "@microremed/contracts";
import { terminal } from "@microremed/core";
import type { ChatReply } from "@microremed/llm";
import { expect, test } from "vitest";
import { aCommand, aTurn, calls, play, playbook, unpairedCalls } from "./testing/turn-fixture.ts";

const probe = (command: string) => ["probe_system", { command }] as const;
const print = ["print_playbook", { playbook }] as const;
/** Each costs 110 tokens, a quarter of a dollar and a second. */
const probes = (count: number, perAnswer = 1): ChatReply[] =>
  Array.from({ length: count }, (_, index) =>
    calls(...Array.from({ length: perAnswer }, (_, number) => probe(`kubectl ${index}.${number}`))),
  );

const within = (budgets: Partial<Budgets>) =>
  aCommand({ maxProbes: 50, budgets: Budgets.parse({ ...budgets }) });

test.each<[Partial<Budgets>, number, string]>([
  [{ tokens: 300 }, 3, "330 of 300 tokens"],
  [{ seconds: 4 }, 4, "4 of 4 s"],
  [{ cost: 0.6 }, 3, "$0.7500 of $0.6"],
  [{ probeRounds: 3 }, 5, "all 3 probe rounds"],
  [{ toolCalls: 2 }, 4, "all 2 tool calls"],
])("%j ends the episode with its reason", async (budgets, modelCalls, words) => {
  const turn = aTurn(probes(20), { command: within(budgets) });
  const result = await play("ThinkRemed", turn);
  expect(result).toMatchObject({
    status: "nothing",
    exhausted: Object.keys(budgets)[0],
    reason: `the episode's budget is used up: ${words}${budgets.seconds ? " of model calls and tools" : ""}`,
  });
  expect(turn.requests).toHaveLength(modelCalls);
  expect(unpairedCalls(turn.stored)).toEqual([]);
});

test.each<[Partial<Budgets>, string[], string]>([
  [{ probeRounds: 1 }, ["kubectl 0.0", "kubectl 0.1"], "all 1 probe rounds of this episode"],
  [{ toolCalls: 3 }, ["kubectl 0.0", "kubectl 0.1", "kubectl 1.0"], "all 3 tool calls of this episode"],
])("a model that heeds the refusal under %j still gets its playbook run", async (budgets, probed, words) => {
  const turn = aTurn([...probes(2, 2), calls(print)], { command: within(budgets) });
  expect(await play("ThinkRemed", turn)).toMatchObject({
    status: "act",
    arguments: { playbook },
    probes: probed.length,
  });
  expect(turn.probed).toEqual(probed);
  expect(turn.stored).toContainEqual({
    role: "tool",
    toolCallId: "c2",
    content: `Not run: ${words} are used. Call print_playbook now.`,
  });
});

test("budgets count all attempts of the episode", async () => {
  const budgets = { tokens: 400 };
  const first = aTurn([...probes(2), calls(print)], { command: within(budgets) });
  await play("ThinkRemed", first);
  const feedback = { execution: "", recovered: false };
  const second = aTurn(probes(5), {
    command: { ...within(budgets), attempt: 2, feedback },
    stored: first.stored,
  });
  expect(await play("ThinkRemed", second)).toMatchObject({ exhausted: "tokens", usage: { calls: 1 } });
});

test("a conversation that no longer fits into the model's context is the model's end, and no error", async () => {
  const turn = aTurn([...probes(1), terminal("model-context-exceeded", "maximum context length is 8192")]);
  expect(await play("ThinkRemed", turn)).toMatchObject({
    status: "nothing",
    exhausted: "context",
    reason: "the model's context is used up: maximum context length is 8192",
    usage: { calls: 1 },
  });
});

test("usage is summed over a resumed turn, to the token", async () => {
  const turn = aTurn([...probes(2), new Error("the process died")]);
  await expect(play("ThinkRemed", turn)).rejects.toThrow("died");
  const usage = { promptTokens: 7, completionTokens: 5, cachedTokens: 3, reasoningTokens: 2, cost: 0.125 };
  const resumed = aTurn([{ ...calls(print), usage }], { stored: turn.stored });
  expect((await play("ThinkRemed", resumed)).usage).toMatchObject({
    calls: 3,
    promptTokens: 207,
    completionTokens: 25,
    cachedTokens: 3,
    reasoningTokens: 2,
    cost: 0.625,
  });
});
