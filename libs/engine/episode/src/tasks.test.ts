import { noUsage } from "@microremed/contracts";
import { expect, test } from "vitest";
import type { EpisodePlan } from "./plan.ts";
import { commandOf } from "./stage-command.ts";
import { answeredRules, aPlan, bodies, mitigationRules } from "./testing/builders.ts";
import { leased } from "./testing/walk.ts";

const submitted = (answer: unknown) => ({
  status: "submit",
  answer,
  observations: [],
  usage: noUsage,
  probes: 1,
});
const gradedAs = (passed: boolean) => ({
  status: "ok",
  grade: { passed, score: Number(passed), parts: {}, reason: passed ? "right" : "wrong" },
  verdict: null,
});

test.each([
  [true, "solved", "right"],
  [false, "not-solved", "wrong"],
] as const)("an answer is graded and final: %s", (passed, outcome, reason) => {
  const plan = { ...aPlan(), task: answeredRules };
  const walk = leased(plan, { task: "detection" });
  for (const body of [bodies.prepare.ok, bodies.inject.ok]) walk.next(body);
  // What is known of the incident would be a part of the answer.
  expect(commandOf(walk.record, plan)?.body).toMatchObject({
    task: "detection",
    diagnosis: { kind: "none" },
  });
  walk.next(submitted({ anomaly: true }));
  expect(walk.record.state).toBe("grading");
  expect(commandOf(walk.record, plan)?.body).toMatchObject({ task: "detection", answer: { anomaly: true } });
  walk.next(gradedAs(passed));
  expect(walk.record).toMatchObject({ state: "restoring", outcome, reason, attempt: 1 });
  expect(walk.record.steps).toMatchObject([{ kind: "submit", tool: "submit", result: { passed } }]);
});

test("who has no answer may try again, and is not measured in its stead", () => {
  const plan = { ...aPlan(), task: answeredRules };
  for (const failure of ["cpu-stress", "none"]) {
    const walk = leased(plan, { failure });
    for (const body of [bodies.prepare.ok, bodies.inject.ok, bodies.solve.none]) walk.next(body);
    expect(walk.record).toMatchObject({ state: "solving", attempt: 2 });
    const feedback = { execution: expect.any(String), unanswered: true };
    expect(commandOf(walk.record, plan)?.body).toHaveProperty("feedback", feedback);
  }
});

test("what a task does not allow is not done", () => {
  const acting = leased({ ...aPlan(), task: answeredRules });
  for (const body of [bodies.prepare.ok, bodies.inject.ok, bodies.solve.ok]) acting.next(body);
  expect(acting.record).toMatchObject({ state: "solving", attempt: 2, steps: [{ tool: "nothing" }] });
  const answering = leased();
  for (const body of [bodies.prepare.ok, bodies.inject.ok, submitted({})]) answering.next(body);
  expect(answering.record).toMatchObject({ state: "solving", attempt: 2 });
});

test("in a task that may change nothing every stage conceals the fault, whatever the request says", () => {
  const plan = { ...aPlan({ concealment: "none" }), task: answeredRules };
  const walk = leased(plan, { task: "detection" });
  const concealed = () => expect(commandOf(walk.record, plan)?.body).toHaveProperty("concealment", "neutral");
  concealed();
  for (const body of [bodies.prepare.ok, bodies.inject.ok, submitted({})]) {
    walk.next(body);
    concealed();
  }
  expect(walk.record.state).toBe("grading");
  walk.happen({ kind: "cancel" });
  concealed();
  expect(walk.record.state).toBe("restoring");
});

test("who is asked a question has a history to compare with, who only repairs has none", () => {
  const command = (task: EpisodePlan["task"], request = {}) => {
    const plan = { ...aPlan(request), task };
    const walk = leased(plan);
    walk.next(bodies.prepare.ok);
    return commandOf(walk.record, plan)?.body;
  };
  const cycle = { ...mitigationRules, parts: [{ name: "mitigation", answered: false, mayAct: true }] };
  expect(command(answeredRules)).toMatchObject({ historySeconds: 180 });
  expect(command(cycle, { historySeconds: 60 })).toMatchObject({ historySeconds: 60 });
  expect(command(answeredRules, { historySeconds: 0 })).not.toHaveProperty("historySeconds");
  expect(command(mitigationRules)).not.toHaveProperty("historySeconds");
});
