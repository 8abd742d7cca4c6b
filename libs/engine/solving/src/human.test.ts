import { expect, test } from "vitest";
import { aCommand, aTurn, play, playbook, unpairedCalls } from "./testing/turn-fixture.ts";

test("takes the request's playbook in every attempt and asks no model", async () => {
  const first = aTurn([], { command: aCommand({ playbook }) });
  const result = await play("Human", first);
  expect(result).toMatchObject({
    status: "act",
    arguments: { playbook },
    usage: { calls: 0, promptTokens: 0, cost: 0 },
  });
  const feedback = { execution: "ok=1", recovered: false };
  const second = aTurn([], {
    command: aCommand({ playbook, attempt: 2, feedback }),
    stored: first.stored,
  });
  expect(await play("Human", second)).toMatchObject({ status: "act", arguments: { playbook } });
  expect(second.requests).toEqual([]);
  expect(unpairedCalls(second.stored)).toEqual([]);
});

test("waits for a person, whose playbook is stored before the person gets the reply", async () => {
  const turn = aTurn([], { byHand: playbook });
  let storedAtReply = 0;
  const { awaitPlaybook } = turn;
  const answer = async (seconds: number, take: (playbook: string) => Promise<void>) => {
    const given = await awaitPlaybook(seconds, take);
    storedAtReply = turn.stored.length;
    return given;
  };
  expect(await play("Human", { ...turn, awaitPlaybook: answer })).toMatchObject({
    status: "act",
    arguments: { playbook },
  });
  expect(storedAtReply).toBe(2);
});

test("a person who does not answer is an outcome with its reason", async () => {
  expect(await play("Human", aTurn([]))).toMatchObject({
    status: "nothing",
    exhausted: "seconds",
    reason: "no playbook was submitted within 3600 s",
  });
});

test("a turn that died after the answer continues with it and asks no person again", async () => {
  const whole = aTurn([], { byHand: playbook });
  const expected = await play("Human", whole);
  for (const length of [2, 3]) {
    const resumed = aTurn([], { stored: whole.stored.slice(0, length) });
    expect(await play("Human", resumed)).toEqual(expected);
  }
});
