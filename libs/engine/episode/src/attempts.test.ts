import { attemptsOf, EpisodeRecord } from "@microremed/contracts";
import { expect, test } from "vitest";
import { commandOf } from "./stage-command.ts";
import { aPlan, bodies } from "./testing/builders.ts";
import { leased } from "./testing/walk.ts";

test("gives the output of a failed playbook to the next attempt, after verifying what it did", () => {
  const plan = aPlan();
  const walk = leased(plan);
  for (const body of [bodies.prepare.ok, bodies.inject.ok]) walk.next(body);
  expect(commandOf(walk.record, plan)?.body).toMatchObject({ attempt: 1, feedback: null });
  for (const body of [bodies.solve.ok, bodies.act.failed, bodies.grade.not]) walk.next(body);
  expect(walk.record).toMatchObject({ state: "solving", attempt: 2 });
  expect(commandOf(walk.record, plan)).toMatchObject({
    stage: "solve",
    subject: "microremed.commands.solve.reference=2fnoop",
    body: { attempt: 2, feedback: { execution: "fatal", recovered: false } },
  });
  for (const body of [bodies.solve.ok, bodies.act.ok, bodies.grade.not, bodies.restore.ok]) {
    walk.next(body);
  }
  expect(walk.record).toMatchObject({ state: "done", outcome: "not-remediated", reason: "still high" });
});

test("counts no playbook and a rejected one as attempts, without running or verifying anything", () => {
  const walk = leased();
  for (const body of [bodies.prepare.ok, bodies.inject.ok, bodies.solve.none]) walk.next(body);
  expect(walk.record).toMatchObject({ state: "solving", attempt: 2 });
  for (const body of [bodies.solve.ok, bodies.act.rejected]) walk.next(body);
  expect(walk.record).toMatchObject({ state: "restoring", outcome: "not-remediated" });
  expect(walk.record.reason).toContain("no list of plays");
});

test("a budget that ran out ends the episode as not remediated, with its reason and no further attempt", () => {
  const walk = leased(aPlan({ maxAttempts: 5 }));
  const ranOut = { ...bodies.solve.none, exhausted: "tokens", reason: "7 of 5 tokens" } as const;
  for (const body of [bodies.prepare.ok, bodies.inject.ok, ranOut]) walk.next(body);
  expect(walk.record).toMatchObject({ state: "restoring", outcome: "not-remediated", attempt: 1 });
  expect(walk.record.reason).toContain("7 of 5 tokens");
});

test("a method with one attempt has one", () => {
  const walk = leased({ ...aPlan({ maxAttempts: 5 }), maxAttempts: 1 });
  for (const body of [bodies.prepare.ok, bodies.inject.ok, bodies.solve.none]) walk.next(body);
  expect(walk.record).toMatchObject({ state: "restoring", outcome: "not-remediated" });
});

test.each([
  ["oracle", { recovered: false }],
  ["observation", { observation: "cpu is at 0.3 cores" }],
  ["none", {}],
] as const)("feedback %s reports no more than that", (feedback, reported) => {
  const plan = aPlan({ feedback });
  const walk = leased(plan);
  for (const body of [bodies.prepare.ok, bodies.inject.ok, bodies.solve.ok, bodies.act.failed]) {
    walk.next(body);
  }
  walk.next(bodies.grade.not);
  expect(commandOf(walk.record, plan)?.body).toMatchObject({ feedbackKind: feedback });
  expect(commandOf(walk.record, plan)?.body).toHaveProperty("feedback", {
    execution: "fatal",
    ...reported,
  });
});

test("without the verdict a method continues until it ends the episode, and the result is verified", () => {
  const walk = leased(aPlan({ feedback: "none", maxAttempts: 3 }));
  const round = (verdict: unknown) => {
    for (const body of [bodies.solve.ok, bodies.act.ok, verdict]) walk.next(body);
  };
  for (const body of [bodies.prepare.ok, bodies.inject.ok]) walk.next(body);
  round(bodies.grade.recovered);
  expect(walk.record).toMatchObject({ state: "solving", attempt: 2, outcome: null });
  round(bodies.grade.not);
  walk.next(bodies.solve.done);
  expect(walk.record).toMatchObject({ state: "restoring", outcome: "not-remediated" });

  const repaired = leased(aPlan({ feedback: "none" }));
  for (const body of [bodies.prepare.ok, bodies.inject.ok, bodies.solve.ok, bodies.act.ok]) {
    repaired.next(body);
  }
  for (const body of [bodies.grade.recovered, bodies.solve.done]) repaired.next(body);
  expect(repaired.record).toMatchObject({ state: "restoring", outcome: "remediated", reason: "calm" });
});

test("a method that ends without an action is verified all the same", () => {
  const walk = leased(aPlan({ feedback: "none" }));
  for (const body of [bodies.prepare.ok, bodies.inject.ok, bodies.solve.done]) walk.next(body);
  expect(walk.record.state).toBe("grading");
  walk.next(bodies.grade.not);
  expect(walk.record).toMatchObject({ outcome: "not-remediated" });
  expect(attemptsOf(walk.record)).toMatchObject([{ playbook: null }]);

  const control = leased(aPlan(), { failure: "none" });
  for (const body of [bodies.prepare.ok, bodies.inject.ok, bodies.solve.none]) control.next(body);
  expect(control.record.state).toBe("grading");
  control.next(bodies.grade.recovered);
  expect(control.record).toMatchObject({ outcome: "remediated" });
});

test("the method may receive the published rules' verdict; the outcome is the strict one's", () => {
  const walk = leased(aPlan({ verdict: "microremed" }));
  for (const body of [bodies.prepare.ok, bodies.inject.ok, bodies.solve.ok, bodies.act.ok]) {
    walk.next(body);
  }
  walk.next(bodies.grade["recovered by microremed"]);
  expect(walk.record).toMatchObject({ state: "restoring", outcome: "not-remediated", attempt: 1 });
});

test.each([
  ["oracle", { kind: "oracle" }],
  ["symptoms", { kind: "symptoms", measurements: [{ name: "cpu usage", value: 0.3 }] }],
  ["none", { kind: "none" }],
] as const)("the diagnosis of a report: %s", (report, diagnosis) => {
  const plan = aPlan({ report });
  const walk = leased(plan);
  for (const body of [bodies.prepare.ok, bodies.inject.ok]) walk.next(body);
  expect(commandOf(walk.record, plan)?.body).toMatchObject({ diagnosis });
});

test("what a turn observed are steps, before the one that it ends with", () => {
  const walk = leased();
  const observed = {
    kind: "observe",
    tool: "get_logs",
    arguments: { of: "cart" },
    result: "all quiet",
    usage: null,
  };
  const observations = [
    { ...observed, startedAt: 10, milliseconds: 5 },
    { ...observed, startedAt: null, milliseconds: null },
  ];
  for (const body of [
    bodies.prepare.ok,
    bodies.inject.ok,
    { ...bodies.solve.ok, observations },
    bodies.act.ok,
  ])
    walk.next(body);
  expect(walk.record.steps).toMatchObject([
    { number: 1, kind: "observe", tool: "get_logs", startedAt: 10, endedAt: 15 },
    { number: 2, kind: "observe", startedAt: null, endedAt: null },
    { number: 3, kind: "act", tool: "run_playbook", result: { status: "ok" }, grade: null },
  ]);
  expect(walk.record.steps[2]?.endedAt).toBeGreaterThanOrEqual(walk.record.steps[2]?.startedAt ?? Infinity);
  expect(EpisodeRecord.parse(walk.record)).toEqual(walk.record);
});

test("of very many observations the latest are kept, and steps keep their numbers", () => {
  const walk = leased(aPlan({ maxAttempts: 20 }));
  for (const body of [bodies.prepare.ok, bodies.inject.ok]) walk.next(body);
  const seen = { kind: "observe", tool: "get_events", arguments: {}, result: "", usage: null } as const;
  const observations = Array.from({ length: 200 }, () => ({ ...seen, startedAt: null, milliseconds: null }));
  for (let attempt = 1; attempt <= 12; attempt++) walk.next({ ...bodies.solve.none, observations });
  const { steps } = walk.record;
  expect(steps.filter(({ kind }) => kind === "observe")).toHaveLength(2_000);
  expect(steps.filter(({ kind }) => kind === "submit")).toHaveLength(12);
  expect(steps.at(-1)?.number).toBe(12 * 201);
  expect(new Set(steps.map(({ number }) => number)).size).toBe(steps.length);
});
