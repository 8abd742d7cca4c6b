import { noUsage } from "@microremed/contracts";
import { expect, test } from "vitest";
import { commandOf } from "./stage-command.ts";
import { aPlan, bodies, failedWith } from "./testing/builders.ts";
import { leased } from "./testing/walk.ts";

const parts = [
  { name: "detection", answered: true, mayAct: false },
  { name: "analysis", answered: true, mayAct: false },
  { name: "mitigation", answered: false, mayAct: true },
];
const outcomes = { passed: "solved", failed: "not-solved" } as const;
const plan = { ...aPlan(), maxAttempts: 2, task: { answered: false, mayAct: true, outcomes, parts } };

const submitted = { status: "submit", answer: { n: 1 }, observations: [], usage: noUsage, probes: 1 };
const gradedAs = (passed: boolean) => ({
  status: "ok",
  grade: { passed, score: Number(passed), parts: {}, reason: passed ? "right" : "wrong" },
  verdict: null,
});

function injected() {
  const walk = leased(plan, { task: "cycle" });
  for (const body of [bodies.prepare.ok, bodies.inject.ok]) walk.next(body);
  return walk;
}

test("each task is asked in turn and graded by itself, whatever came of the one before", () => {
  const walk = injected();
  const asked = () => commandOf(walk.record, plan)?.body;
  expect(asked()).toMatchObject({ task: "detection", attempt: 1, feedback: null, concealment: "neutral" });
  expect(asked()).not.toHaveProperty("firstAttempt");
  walk.next(submitted);
  expect(asked()).toMatchObject({ task: "detection", answer: { n: 1 } });
  walk.next(gradedAs(false));
  expect(walk.record).toMatchObject({ state: "solving", asked: "analysis", outcome: null });
  // What is known of the incident would be a part of an answer, and what came of the one before is not said.
  expect(asked()).toMatchObject({
    task: "analysis",
    attempt: 2,
    firstAttempt: 2,
    feedback: null,
    diagnosis: { kind: "none" },
  });
  for (const body of [submitted, gradedAs(true)]) walk.next(body);
  expect(asked()).toMatchObject({ task: "mitigation", attempt: 3, diagnosis: { kind: "none" } });
  for (const body of [bodies.solve.ok, bodies.act.ok, bodies.grade.recovered]) walk.next(body);
  expect(walk.record).toMatchObject({ state: "restoring", outcome: "not-solved" });
  expect(walk.record.reason).toBe("detection: wrong; analysis: right; mitigation: calm");
  const steps = walk.record.steps.map(({ task, attempt, kind }) => [task, attempt, kind]);
  expect(steps).toEqual([
    ["detection", 1, "submit"],
    ["analysis", 2, "submit"],
    ["mitigation", 3, "act"],
  ]);
});

test("a cycle is solved if all its tasks are", () => {
  const walk = injected();
  for (let i = 0; i < 2; i++) for (const body of [submitted, gradedAs(true)]) walk.next(body);
  for (const body of [bodies.solve.ok, bodies.act.ok, bodies.grade.recovered]) walk.next(body);
  expect(walk.record).toMatchObject({ state: "restoring", outcome: "solved" });
});

test("attempts are counted for each task; who has no answer is asked again, then the next task", () => {
  const walk = injected();
  walk.next(bodies.solve.none);
  expect(walk.record).toMatchObject({ state: "solving", asked: "detection", attempt: 2 });
  expect(commandOf(walk.record, plan)?.body).toMatchObject({ feedback: { unanswered: true } });
  walk.next(bodies.solve.none);
  expect(walk.record).toMatchObject({ state: "solving", asked: "analysis", attempt: 3 });
  expect(commandOf(walk.record, plan)?.body).toMatchObject({ feedback: null, firstAttempt: 3 });
  for (const body of [submitted, gradedAs(true), bodies.solve.ok, bodies.act.ok, bodies.grade.not])
    walk.next(body);
  expect(walk.record).toMatchObject({ state: "solving", asked: "mitigation", attempt: 5 });
  for (const body of [bodies.solve.ok, bodies.act.ok, bodies.grade.recovered]) walk.next(body);
  expect(walk.record).toMatchObject({ outcome: "not-solved" });
  expect(walk.record.reason).toContain("detection: not graded");
});

test("an answer is none where something is to be done, and a playbook none where an answer is asked", () => {
  const walk = injected();
  walk.next(bodies.solve.ok);
  expect(walk.record).toMatchObject({ state: "solving", asked: "detection", steps: [{ tool: "nothing" }] });
});

test("another trial begins with the first task", () => {
  const walk = injected();
  for (const body of [submitted, gradedAs(true)]) walk.next(body);
  for (const body of [failedWith("cluster-unreachable"), bodies.restore.ok]) walk.next(body);
  expect(walk.record).toMatchObject({ state: "planned", trial: 2, steps: [] });
  expect(walk.record).not.toHaveProperty("asked");
});
