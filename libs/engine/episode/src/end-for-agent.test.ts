import { expect, test } from "vitest";
import { endForAgent } from "./end-for-agent.ts";
import { answeredRules, aPlan, bodies, failedWith } from "./testing/builders.ts";
import { leased, type Walk } from "./testing/walk.ts";

const { prepare, inject, solve, act, grade } = bodies;
const usedUp = {
  ...solve.none,
  exhausted: "toolCalls",
  reason: "the episode's budget is used up: all 3 tool calls",
};
const answer = { status: "submit", answer: { isAnomalous: true }, ...rest(solve.none) };

function rest({ observations, usage, probes }: typeof solve.none) {
  return { observations, usage, probes };
}

function asked(plan = aPlan()): Walk {
  const walk = leased(plan);
  for (const body of [prepare.ok, inject.ok]) walk.next(body);
  return walk;
}

const question = { ...aPlan(), task: answeredRules };

test("a turn that goes on has no end; one that ended without an answer says which budget is used up", () => {
  const walk = asked(question);
  expect(endForAgent(walk.record)).toBeUndefined();
  walk.next(usedUp);
  expect(walk.record.outcome).toBe("not-solved");
  expect(endForAgent(walk.record)).toEqual({ how: "over", reason: usedUp.reason });
});

test("a new attempt has not ended with the one before", () => {
  const walk = asked(question);
  walk.next(solve.none);
  expect(walk.record).toMatchObject({ state: "solving", attempt: 2 });
  expect(endForAgent(walk.record)).toBeUndefined();
});

test("what was handed in says so, and nothing of its grade", () => {
  const answered = asked(question);
  answered.next(answer);
  expect(endForAgent(answered.record)).toEqual({ how: "submitted", reason: "it was submitted" });
  const acted = asked({ ...aPlan(), maxAttempts: 1 });
  for (const body of [solve.ok, act.ok, grade.not]) acted.next(body);
  expect(acted.record).toMatchObject({ outcome: "not-remediated", reason: "still high" });
  expect(endForAgent(acted.record)).toEqual({ how: "acted", reason: "the playbook was handed in" });
});

test("who ends an episode from outside, and that the range failed, is said; errors of the range are not shown", () => {
  const cancelled = asked(question);
  cancelled.happen({ kind: "cancel" });
  expect(endForAgent(cancelled.record)).toEqual({ how: "over", reason: "the experiment was cancelled" });
  const left = asked(question);
  left.happen({ kind: "cancel", by: "agent" });
  expect(endForAgent(left.record)?.reason).toBe("the agent left");
  const again = asked(question);
  again.next(failedWith("cluster-unreachable"));
  expect(endForAgent(again.record)?.reason).toMatch(/^the range failed.*begins again$/);
  const failed = asked(question);
  failed.next(failedWith("model-refused"));
  expect(failed.record.outcome).toBe("harness-error");
  expect(endForAgent(failed.record)?.reason).toMatch(/^the range failed, which does not count/);
  const givenBack = asked(question);
  givenBack.next(failedWith("arena-given-back"));
  expect(endForAgent(givenBack.record)?.reason).toBe("arena-given-back happened; it begins again later");
  const expired = asked();
  const error = { code: "fault-expired", message: "cpu-stress on cart has ended", details: {} } as const;
  const record = { ...expired.record, outcome: "not-remediated", error } as const;
  expect(endForAgent(record)?.reason).not.toMatch(/cpu|cart/);
});
