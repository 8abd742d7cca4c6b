import { anExchange } from "@microremed/llm/testing";
import { expect, test } from "vitest";
import { aTurn, calls, play, playbook, text, unpairedCalls } from "./testing/turn-fixture.ts";

test("offers print_playbook alone", async () => {
  const turn = aTurn([calls(["print_playbook", { playbook }])]);
  await play("SoloGen", turn);
  expect(turn.requests.map((request) => request.tools?.map((tool) => tool.name))).toEqual([
    ["print_playbook"],
  ]);
});

test("returns the playbook with what the provider reported and answers its call", async () => {
  const turn = aTurn([calls(["print_playbook", { playbook }])]);
  const result = await play("SoloGen", turn);
  expect(result).toMatchObject({
    status: "act",
    tool: "run_playbook",
    arguments: { playbook },
    source: "tool-call",
    usage: { calls: 1, promptTokens: 100, completionTokens: 10 },
    probes: 0,
  });
  expect(result.usage.estimatedTokens).toBeGreaterThan(300);
  expect(unpairedCalls(turn.stored)).toEqual([]);
});

test("takes a playbook out of a YAML block when no tool is called, and says so", async () => {
  const turn = aTurn([
    text(`First this:\n\`\`\`yaml\nkind: Pod\n\`\`\`\nthen\n\`\`\`yaml\n${playbook}\`\`\`\ndone`),
  ]);
  expect(await play("SoloGen", turn)).toMatchObject({
    status: "act",
    arguments: { playbook },
    source: "text",
  });
});

test.each([
  ["an empty answer", text(""), "the model's answer was empty"],
  ["prose", text("I would restart it."), "held neither a tool call nor a playbook"],
  ["bad JSON", calls(["print_playbook", '{"playbook": "- hosts']), "no valid JSON"],
  ["another type", calls(["print_playbook", { playbook: 7 }]), "must be one JSON object"],
  ["an empty playbook", calls(["print_playbook", { playbook: "  " }]), "empty"],
  ["a huge playbook", calls(["print_playbook", { playbook: "x".repeat(300_000) }]), "longer than 262144"],
  ["another tool", calls(["run_shell", {}]), "did not call print_playbook but run_shell"],
])("%s is no playbook after one call, with the reason", async (_name, reply, words) => {
  const turn = aTurn([reply]);
  const result = await play("SoloGen", turn);
  expect(result).toMatchObject({ status: "nothing", reason: expect.stringContaining(words) });
  expect(turn.requests).toHaveLength(1);
  expect(unpairedCalls(turn.stored)).toEqual([]);
});

test("an answer cut at the limit of tokens is named as cut", async () => {
  const turn = aTurn([{ ...text("thinking..."), exchange: anExchange({ finishReason: "length" }) }]);
  expect(await play("SoloGen", turn)).toMatchObject({
    reason: expect.stringContaining("cut at its limit of tokens"),
  });
});

test("plays as a JSON list are a playbook", async () => {
  const list = aTurn([calls(["print_playbook", { playbook: [{ hosts: "all", tasks: [] }] }])]);
  const playbook = '[{"hosts":"all","tasks":[]}]';
  expect(await play("SoloGen", list)).toMatchObject({ arguments: { playbook } });
});

test("a redelivered turn gives the same result without a second model call", async () => {
  const first = aTurn([calls(["print_playbook", { playbook }])]);
  const result = await play("SoloGen", first);
  const second = aTurn([], { stored: first.stored });
  expect(await play("SoloGen", second)).toEqual(result);
  expect(second.stored).toEqual(first.stored);
});
