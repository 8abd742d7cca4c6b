import { defineTask, z } from "@microremed/catalogue";
import { answerBounds, type ChatMessage } from "@microremed/contracts";
import { expect, test } from "vitest";
import { aCommand, aTurn, calls, play, text } from "./testing/turn-fixture.ts";

const wide = defineTask({
  name: "wide",
  title: "Say what you like",
  mayAct: false,
  answer: z.looseObject({}),
  question: () => "What do you say?",
  grade: async () => ({ passed: true, score: 1, parts: {}, reason: "said" }),
});

test.each([
  ["too many characters", { said: "x".repeat(answerBounds.characters + 1) }],
  ["too many bytes", { said: "\u6f22".repeat(30_000) }],
  ["too many values", { said: Array(20_000).fill(0) }],
])("an answer with %s is none, and the model is given the bound", async (_, answer) => {
  const turn = aTurn([calls(["submit", answer]), text("hm"), text("hm")], { task: wide });
  expect(await play("ReAct", turn)).toMatchObject({ status: "nothing" });
  expect(turn.stored.find(({ role }) => role === "tool")?.content).toMatch(
    /^Error: what was given has more than/,
  );
});

test("what a turn has seen fits in a message with what it hands in, whatever was printed", async () => {
  const print = (i: number) => ["probe_system", { command: `echo ${i} ${"\u6f22".repeat(350)}` }] as const;
  const script = Array.from({ length: 12 }, (_, i) => calls(...Array.from({ length: 20 }, () => print(i))));
  const turn = aTurn([...script, calls(["submit", {}])], {
    ...{ task: wide, probeReply: { status: "ok", exitCode: 0, output: "\u0001".repeat(5_000) } },
    command: aCommand({ maxProbes: 100 }),
  });
  const { observations, ...rest } = await play("ReAct", turn);
  expect(rest.status).not.toBe("act");
  expect(observations.length).toBeGreaterThan(20);
  expect(Buffer.byteLength(JSON.stringify(observations))).toBeLessThan(210_000);
  expect(observations[0]?.result).toMatch(/characters in all\]$/);
});

test("a conversation has a bound: at it the turn ends, as at the end of a model's context", async () => {
  const said: ChatMessage[] = Array.from({ length: 200 }, () => ({
    ...{ role: "assistant", content: "", reasoning: "x".repeat(45_000), toolCalls: [] },
  }));
  const first: ChatMessage = { role: "user", content: "begin", attempt: 1 };
  const turn = aTurn([], {
    stored: [first, ...said],
    command: aCommand({ attempt: 2, feedback: { execution: "" } }),
  });
  expect(await play("ThinkRemed", turn)).toMatchObject({ status: "nothing", exhausted: "context" });
  expect(turn.requests).toEqual([]);
});
