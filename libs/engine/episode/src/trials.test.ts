import { EpisodeRecord, noUsage } from "@microremed/contracts";
import { expect, test } from "vitest";
import { maxTrials, mostGivenBack } from "./conclude.ts";
import { commandOf } from "./stage-command.ts";
import { anArena, aPlan, bodies, failedWith } from "./testing/builders.ts";
import { leased } from "./testing/walk.ts";

test("a failure without effect is no score, and its arena is restored all the same", () => {
  const walk = leased();
  for (const body of [bodies.prepare.ok, bodies.inject["no-effect"], bodies.restore.ok]) walk.next(body);
  walk.happen({ kind: "leased", arena: anArena });
  for (const body of [bodies.prepare.ok, bodies.inject["no-effect"]]) walk.next(body);
  expect(walk.record).toMatchObject({
    state: "restoring",
    outcome: "injection-failed",
    reason: "nothing moved",
  });
});

test("a fault of the harness is tried again on fresh arenas, then reported as such", () => {
  const walk = leased();
  for (let trial = 1; trial < maxTrials; trial++) {
    walk.next(failedWith("cluster-unreachable"));
    expect(walk.record).toMatchObject({ state: "restoring", outcome: null, trial });
    walk.next(bodies.restore.ok);
    expect(walk.record).toMatchObject({ state: "planned", trial: trial + 1, arena: null, error: null });
    walk.happen({ kind: "leased", arena: { ...anArena, fence: trial + 1 } });
  }
  walk.next(failedWith("cluster-unreachable"));
  walk.next(bodies.restore.ok);
  expect(walk.record).toMatchObject({
    state: "done",
    outcome: "harness-error",
    error: { code: "cluster-unreachable" },
  });
});

test("an arena that goes to others costs no trial; after a while its agent has given the problem up", () => {
  const walk = leased();
  const turn = { observations: [], usage: noUsage, probes: 0 };
  for (let count = 0; count <= mostGivenBack; count++) {
    for (const body of [bodies.prepare.ok, bodies.inject.ok]) walk.next(body);
    expect(walk.record).toMatchObject({ state: "solving", outcome: null, trial: count + 1 });
    walk.next({ ...failedWith("arena-given-back"), given: true, turn });
    walk.next(bodies.restore.ok);
    if (walk.record.state === "planned") walk.happen({ kind: "leased", arena: anArena });
  }
  expect(walk.record).toMatchObject({ state: "done", outcome: "not-remediated" });
  expect(walk.record.earlier).toHaveLength(mostGivenBack);
});

test("what an agent can bring about at will gets it no second chance on a fresh arena", () => {
  const walk = leased();
  for (const body of [bodies.prepare.ok, bodies.inject.ok, bodies.solve.ok, failedWith("not-simulated")])
    walk.next(body);
  expect(walk.record).toMatchObject({
    state: "restoring",
    outcome: "harness-error",
    error: { code: "not-simulated" },
    trial: 1,
  });
});

test("a trial that breaks off after the agent was given something stays in the record, and the next one has other draws", () => {
  const plan = aPlan();
  const walk = leased(plan);
  const seeds = () => {
    const body = commandOf(walk.record, plan)?.body ?? {};
    const { seed, draws } = body as Record<string, string>;
    return [seed, draws].map((text) => text?.replace(walk.record.experimentId, ""));
  };
  const seen = { kind: "observe", tool: "get_events", arguments: {}, result: "a restart" } as const;
  const observations = [{ ...seen, startedAt: 5, milliseconds: 5, usage: null }];
  const turn = { observations, usage: { ...noUsage, calls: 1, promptTokens: 70 }, probes: 1 };
  const first: unknown[] = [];
  for (const body of [bodies.prepare.ok, bodies.inject.ok]) {
    if (walk.record.state === "prepared") first.push(seeds()[0]);
    walk.next(body);
  }
  first.push(...seeds());
  walk.next({ ...failedWith("cluster-unreachable"), given: true, turn });
  const reason = "the turn failed: cluster-unreachable happened";
  const steps = [
    { kind: "observe", tool: "get_events", result: "a restart" },
    { kind: "submit", tool: "nothing", reason, turn: { probes: 1, usage: { promptTokens: 70 } } },
  ];
  expect(walk.record).toMatchObject({ state: "restoring", outcome: null, steps });
  walk.next(bodies.restore.ok);
  expect(walk.record).toMatchObject({ trial: 2, steps: [] });
  expect(walk.record.earlier).toMatchObject([{ trial: 1, steps, error: { code: "cluster-unreachable" } }]);
  walk.happen({ kind: "leased", arena: anArena });
  const second: unknown[] = [];
  for (const body of [bodies.prepare.ok, bodies.inject.ok]) {
    if (walk.record.state === "prepared") second.push(seeds()[0]);
    walk.next(body);
  }
  second.push(...seeds());
  expect(second).toHaveLength(3);
  for (const [i, seed] of second.entries()) expect(seed).not.toBe(first[i]);
  expect(EpisodeRecord.parse(walk.record)).toEqual(walk.record);
});

test("a turn that is lost counts as one in which something was given; one that had not begun does not", () => {
  const begun = () => {
    const walk = leased();
    for (const body of [bodies.prepare.ok, bodies.inject.ok]) walk.next(body);
    return walk;
  };
  const lost = begun();
  const { trial, attempt } = lost.record;
  const error = { code: "deadline-exceeded", message: "no result", details: {} };
  lost.happen({ kind: "dead-letter", stage: "solve", trial, attempt, error });
  expect(lost.record.steps).toMatchObject([{ tool: "nothing", reason: "no result" }]);
  const unbegun = begun();
  unbegun.next({ ...failedWith("state-unreachable"), given: false });
  unbegun.next(bodies.restore.ok);
  expect(unbegun.record.steps).toEqual([]);
  expect(unbegun.record.earlier).toBeUndefined();
});

test("who let a fault come to its own end has not repaired it; where the harness was slow, that is a harness error", () => {
  const expired = (termMs: number) => ({
    status: "failed",
    error: { code: "fault-expired", message: "it ended", details: { injectedAt: 0, expiresAt: termMs } },
  });
  const after = (termMs: number) => {
    const walk = leased(aPlan({ thinkTime: "zero" }));
    const waited = { ...bodies.solve.ok, toolClusterMs: 600_000 };
    for (const body of [bodies.prepare.ok, bodies.inject.ok, waited, bodies.act.ok, expired(termMs)])
      walk.next(body);
    return walk.record;
  };
  expect(after(1_199_000)).toMatchObject({
    state: "restoring",
    outcome: "not-remediated",
    reason: "it ended",
  });
  expect(after(1_201_000)).toMatchObject({ state: "restoring", outcome: null });
});

test("an arena that cannot be restored is quarantined and the outcome stands", () => {
  const walk = leased();
  for (const body of [bodies.prepare.ok, bodies.inject.ok, bodies.solve.none, bodies.solve.none]) {
    walk.next(body);
  }
  walk.next(failedWith("restore-failed"));
  expect(walk.effects.at(-1)).toBe("quarantine");
  expect(walk.record).toMatchObject({ state: "done", outcome: "not-remediated", restored: "quarantined" });
});

test("a failed injection is tried again, then drawn on the next targets, each time on a fresh arena", () => {
  const plan = aPlan();
  const walk = leased(plan, { alternatives: ["checkout", "ads"] });
  const fail = () => {
    for (const body of [bodies.prepare.ok, bodies.inject["no-effect"], bodies.restore.ok]) walk.next(body);
  };
  const targets: string[] = [];
  for (let draw = 0; draw < 3; draw++) {
    targets.push(walk.record.target);
    fail();
    expect(walk.record).toMatchObject({ state: "planned", arena: null, outcome: null, trial: draw + 2 });
    walk.happen({ kind: "leased", arena: anArena });
    expect(commandOf(walk.record, plan)?.body).toMatchObject({ redeploy: true, target: walk.record.target });
  }
  targets.push(walk.record.target);
  expect(targets).toEqual(["cart", "cart", "checkout", "ads"]);
  expect(walk.record.caseId).toBe("1/0000/cpu-stress/ads");
  for (const body of [bodies.prepare.ok, bodies.inject["no-effect"], bodies.restore.ok]) walk.next(body);
  expect(walk.record).toMatchObject({ state: "done", outcome: "injection-failed", reason: "nothing moved" });
  expect(walk.record.redraws).toMatchObject([
    { trial: 1, target: "cart", reason: "nothing moved", verdict: null, arena: anArena },
    { trial: 2, target: "cart" },
    { trial: 3, target: "checkout" },
  ]);
});

test("a redraw does not use up the tries that a harness error has", () => {
  const walk = leased(aPlan(), { alternatives: ["checkout"] });
  for (const body of [bodies.prepare.ok, bodies.inject["no-effect"], bodies.restore.ok]) walk.next(body);
  for (let tries = 1; tries <= maxTrials; tries++) {
    walk.happen({ kind: "leased", arena: anArena });
    expect(walk.record.target).toBe("cart");
    for (const body of [failedWith("environment-unhealthy"), bodies.restore.ok]) walk.next(body);
  }
  expect(walk.record).toMatchObject({ state: "done", outcome: "harness-error", trial: maxTrials + 1 });
});
