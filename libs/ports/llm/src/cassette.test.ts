import type { ChatMessage } from "@microremed/contracts";
import { expect, test } from "vitest";
import { createCassette, type Recording } from "./cassette.ts";

const user = (content: string): ChatMessage => ({ role: "user", content });

function answer(content: string): Extract<ChatMessage, { role: "assistant" }> {
  return {
    role: "assistant",
    content,
    toolCalls: [{ id: "call-1", name: "get_events", arguments: "{}" }],
    usage: { promptTokens: 70, completionTokens: 5, cachedTokens: 3, reasoningTokens: 2, cost: 0.25 },
    exchange: {
      model: "m-2026",
      endpoint: "https://models.example/v1",
      dialect: "compatible",
      tools: [],
      settings: { temperature: 0.5, max_tokens: 100 },
      startedAt: 5,
      milliseconds: 900,
      waitedMs: 40,
      failedTries: [{ code: "model-overloaded", message: "429", milliseconds: 10 }],
      finishReason: "stop",
      usageReported: true,
      callsInText: false,
    },
  };
}

const recording = (index: number, ...conversation: ChatMessage[]): Recording => ({
  model: "m",
  index,
  conversation,
});
const ask = (recordings: Recording[], index: number, messages: ChatMessage[]) =>
  createCassette(recordings).connect("m", index).complete({ messages });

test("answers as it did at the same place, with the same usage, and without a wait", async () => {
  const recorded = [recording(0, user("go"), answer("one"), user("more"), answer("two"))];
  expect(await ask(recorded, 0, [user("go")])).toMatchObject({
    content: "one",
    toolCalls: [{ id: "call-1", name: "get_events" }],
    usage: { promptTokens: 70, completionTokens: 5, cost: 0.25 },
    exchange: { milliseconds: 0, waitedMs: 0, failedTries: [], finishReason: "stop" },
  });
  const later = await ask(recorded, 0, [user("go"), answer("one"), user("something else")]);
  expect(later.content).toBe("two");
});

test("numbers and generated names do not matter, words do", async () => {
  const recorded = [recording(0, user("cart-7d9c5b8f6d-x2x7k is slow: 31 ms"), answer("fix"))];
  expect((await ask(recorded, 4, [user("cart-5f6bd9c7d8-zzkl4 is slow: 7 ms")])).content).toBe("fix");
  await expect(ask(recorded, 0, [user("cart-5f6bd9c7d8-zzkl4 is down: 7 ms")])).rejects.toMatchObject({
    code: "not-recorded",
    severity: "terminal",
  });
});

test("of several recordings the one that agrees longest answers, then the one of the same episode", async () => {
  const recorded = [
    recording(0, user("go"), answer("look"), user("all quiet"), answer("nothing")),
    recording(1, user("go"), answer("look"), user("disk full"), answer("clean")),
    recording(2, user("go"), answer("wait")),
  ];
  expect((await ask(recorded, 0, [user("go"), answer("look"), user("disk full")])).content).toBe("clean");
  expect((await ask(recorded, 2, [user("go")])).content).toBe("wait");
  expect((await ask(recorded, 9, [user("go")])).content).toBe("look");
});

test("a run that exceeds the recording gets an error that says so", async () => {
  const recorded = [recording(0, user("go"), answer("one"))];
  await expect(ask(recorded, 0, [user("go"), answer("one"), user("and?")])).rejects.toThrow(
    "model answer number 2",
  );
});

test("knows the recorded models alone, as they were asked", () => {
  const cassette = createCassette([recording(0, user("go"), answer("one"))]);
  expect(cassette.names).toEqual(["m"]);
  expect(cassette.resolve("m")).toMatchObject({
    apiKey: null,
    model: "m-2026",
    temperature: 0.5,
    maxTokens: 100,
  });
  expect(() => cassette.resolve("other")).toThrow('recorded: "m"');
});

test("what was asked beside the main conversation is answered from its own recording", async () => {
  const aside = <M extends ChatMessage>(message: M): M => ({ ...message, thread: "hints 1.1" });
  const recorded = [
    recording(0, user("go"), answer("one"), aside(user("hint?")), aside(answer("look there")), answer("two")),
  ];
  expect((await ask(recorded, 0, [user("hint?")])).content).toBe("look there");
  expect((await ask(recorded, 0, [user("go"), answer("one")])).content).toBe("two");
});
