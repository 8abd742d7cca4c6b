import type { JudgeRequest } from "@microremed/contracts";
import { noUsage } from "@microremed/contracts";
import { createMemoryState } from "@microremed/state/memory";
import { expect, test } from "vitest";
import { createRecordedJudge, JudgedSteps } from "../recorded-judge.ts";
import { askOnce } from "./ask-once.ts";

const request = (check: string, attempt = 1): JudgeRequest => ({
  model: "judge",
  system: "You check.",
  question: JSON.stringify({ check, known: [], explanation: "nothing" }),
  episode: { episodeId: "exp-1.0000", trial: 1, attempt },
  timeoutSeconds: 1,
});
const answer = (check: string) => ({
  role: "assistant" as const,
  content: JSON.stringify({ check, reason: "it does", correct: true }),
  toolCalls: [],
});

test("a judge is asked once for an attempt; who asks again gets that answer in the words of its question", async () => {
  const { conversations } = createMemoryState();
  let calls = 0;
  const put = (check: string) => async () => {
    calls++;
    return answer(check);
  };
  await askOnce(request("one"), conversations, put("one"));
  expect(await askOnce(request("two"), conversations, put("two"))).toMatchObject(answer("two"));
  expect(calls).toBe(1);
  await askOnce(request("three", 2), conversations, put("three"));
  expect(calls).toBe(2);
  // None of it is in the agent's conversation.
  expect(await conversations.read({ episodeId: "exp-1.0000", trial: 1 })).toEqual([]);
});

test("a second question waits for the answer to the first, and one that was lost is not asked again", async () => {
  const { conversations } = createMemoryState();
  const first = Promise.withResolvers<ReturnType<typeof answer>>();
  const asked = askOnce(request("one"), conversations, () => first.promise);
  const again = askOnce(request("two"), conversations, () => Promise.reject(new Error("asked twice")));
  first.resolve(answer("one"));
  await asked;
  expect(await again).toMatchObject(answer("two"));

  const died = new Error("the process died");
  await expect(askOnce(request("x", 3), conversations, () => Promise.reject(died))).rejects.toBe(died);
  const next = askOnce(request("y", 3), conversations, () => Promise.reject(new Error("asked twice")));
  await expect(next).rejects.toMatchObject({ code: "model-unreachable", severity: "terminal" });
});

test("a recorded judge answers the same question again, by its word, and no other one", () => {
  const ids = ["0a1b2c3d-1111-2222-3333-444455556666", "ffffffff-0000-1111-2222-333344445555"] as const;
  const judgement = { model: "judge", question: request(ids[0]).question, answer: answer(ids[0]).content };
  const steps = [
    { kind: "observe" },
    { kind: "submit", result: { judgement: { ...judgement, usage: noUsage } } },
  ];
  const judge = createRecordedJudge(JudgedSteps.parse(steps));
  expect(judge.names).toEqual(["judge"]);
  expect(judge.answer(request(ids[1])).content).toBe(answer(ids[1]).content);
  const other = { ...request(ids[1]), question: JSON.stringify({ check: ids[1], explanation: "cart" }) };
  expect(() => judge.answer(other)).toThrow(/no such question/);
  expect(JudgedSteps.parse("old")).toEqual([]);
});
