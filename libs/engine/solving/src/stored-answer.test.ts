import { expect, test } from "vitest";
import { storedAnswer } from "./stored-answer.ts";
import { calls, text } from "./testing/turn-fixture.ts";

const long = "x".repeat(1_000_000);
const size = (value: unknown): number => JSON.stringify(value).length;

test("an answer of an ordinary size is stored as it is", () => {
  const reply = { ...calls(["probe_system", { command: "kubectl get pods" }]), reasoning: "hm" };
  expect(storedAnswer(reply)).toEqual({ role: "assistant", ...reply });
});

test("whatever a model answers, what is stored has a bound and says what was left out", () => {
  const one = { id: long, name: long, arguments: long, extra: { thought: long } };
  const stored = storedAnswer({
    ...text(long),
    toolCalls: Array.from({ length: 5_000 }, () => one),
    reasoning: long,
    exchange: { ...text("").exchange, finishReason: long },
  });
  expect(size(stored)).toBeLessThan(800_000);
  expect(stored.toolCalls).toHaveLength(100);
  expect(stored.content).toMatch(/characters left out[\s\S]*\[4900 of its 5000 tool calls were left out\]$/);
  for (const { arguments: given } of stored.toolCalls) expect(given).toContain("characters left out");
  expect(stored.reasoning).toContain("characters left out");
});
