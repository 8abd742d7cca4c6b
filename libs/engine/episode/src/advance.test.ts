import { attemptsOf, EpisodeRecord, noUsage, StageResult, stageOut } from "@microremed/contracts";
import fc from "fast-check";
import { expect, test } from "vitest";
import { advance } from "./advance.ts";
import { maxTrials } from "./conclude.ts";
import type { EpisodeEvent } from "./episode-event.ts";
import { messagesOf } from "./messages-of.ts";
import type { EpisodePlan } from "./plan.ts";
import { commandOf } from "./stage-command.ts";
import { checksAfter, deadlineOf, nextCheck } from "./stage-deadline.ts";
import { anArena, anEpisode, answeredRules, aPlan, aResult, bodies, failedWith } from "./testing/builders.ts";
import type { Transition } from "./transitions.ts";

const outages = ["model-unreachable", "model-overloaded", "model-garbled"];

interface Walk {
  record: EpisodeRecord;
  readonly states: string[];
  readonly effects: (string | undefined)[];
  /** Takes the next answer of the stage that is out, or another event. */
  next(body: unknown): Transition | undefined;
  happen(event: EpisodeEvent, at?: number): Transition | undefined;
}

/** An episode that has just been leased, and how it goes on. */
function leased(plan: EpisodePlan = aPlan(), change: Partial<EpisodeRecord> = {}): Walk {
  let now = 0;
  const walk: Walk = {
    record: anEpisode(change),
    states: [],
    effects: [],
    next: (body) => {
      const stage = stageOut[walk.record.state];
      if (stage === undefined) throw new Error(`no stage is out in ${walk.record.state}`);
      return walk.happen({ kind: "result", result: StageResult.parse(aResult(walk.record, stage, body)) });
    },
    happen: (event, at = now + 1000) => {
      now = at;
      const step = advance(walk.record, plan, event, now);
      if (!step) return undefined;
      walk.record = { ...step.record, version: walk.record.version + 1 };
      walk.states.push(step.record.state);
      walk.effects.push(step.effect?.kind);
      return step;
    },
  };
  walk.happen({ kind: "leased", arena: anArena });
  return walk;
}

test("goes through all stages and ends remediated, with its arena released", () => {
  const walk = leased();
  walk.next(bodies.prepare.ok);
  walk.next(bodies.inject.ok);
  walk.next(bodies.solve.ok);
  walk.next(bodies.act.ok);
  walk.next(bodies.grade.recovered);
  walk.next(bodies.restore.ok);
  expect(walk.states).toEqual(["leased", "prepared", "solving", "acting", "grading", "restoring", "done"]);
  expect(walk.effects).toEqual(["take", "deployed", undefined, undefined, undefined, undefined, "release"]);
  expect(walk.record).toMatchObject({ outcome: "remediated", reason: "calm", restored: "reset", attempt: 1 });
  expect(attemptsOf(walk.record)).toMatchObject([{ number: 1, probes: 2, verdict: { recovered: true } }]);
  expect(walk.record.timings.map(({ stage }) => stage)).toEqual([
    "prepare",
    "inject",
    "solve",
    "act",
    "grade",
    "restore",
  ]);
  expect(walk.record.timings.every(({ endedAt, startedAt }) => endedAt === startedAt + 1000)).toBe(true);
});

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

test("a budget that ran out ends the episode as not remediated, with its reason and no further attempt", () => {
  const walk = leased(aPlan({ maxAttempts: 5 }));
  const ranOut = { ...bodies.solve.none, exhausted: "tokens", reason: "7 of 5 tokens" } as const;
  for (const body of [bodies.prepare.ok, bodies.inject.ok, ranOut]) walk.next(body);
  expect(walk.record).toMatchObject({ state: "restoring", outcome: "not-remediated", attempt: 1 });
  expect(walk.record.reason).toContain("7 of 5 tokens");
});

test("a model's endpoint that fails is the harness's end, never the model's", () => {
  for (const code of ["model-unreachable", "model-overloaded", "model-refused", "model-garbled"]) {
    const walk = leased(aPlan({ timeouts: { outageSeconds: 0 } }));
    for (const body of [bodies.prepare.ok, bodies.inject.ok, failedWith(code)]) walk.next(body);
    expect(walk.record).toMatchObject({ state: "restoring", outcome: "harness-error", error: { code } });
  }
});

test("where the provider fails, the episode waits for it, and ends when that has failed for too long", () => {
  const refusedKey = {
    status: "failed",
    error: { ...failedWith("model-refused").error, details: { status: 401 } },
  };
  for (const failure of [...outages.map(failedWith), refusedKey]) {
    const walk = leased();
    for (const body of [bodies.prepare.ok, bodies.inject.ok, failure]) walk.next(body);
    expect(walk.record).toMatchObject({ state: "restoring", outcome: null });
    walk.next(bodies.restore.ok);
    expect(walk.record).toMatchObject({ state: "planned", trial: 2 });
    walk.happen({ kind: "no-model", reason: "silent for an hour" });
    expect(walk.record).toMatchObject({
      state: "done",
      outcome: "harness-error",
      reason: "silent for an hour",
      error: { code: "model-unreachable" },
    });
  }
});

test("a method with one attempt has one", () => {
  const walk = leased({ ...aPlan({ maxAttempts: 5 }), maxAttempts: 1 });
  for (const body of [bodies.prepare.ok, bodies.inject.ok, bodies.solve.none]) walk.next(body);
  expect(walk.record).toMatchObject({ state: "restoring", outcome: "not-remediated" });
});

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

test("a request that the provider refuses is no reason for another arena", () => {
  const walk = leased();
  for (const body of [bodies.prepare.ok, bodies.inject.ok, failedWith("model-refused")]) walk.next(body);
  expect(walk.record).toMatchObject({
    state: "restoring",
    outcome: "harness-error",
    error: { code: "model-refused" },
  });
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

test("cancelling waits for what changes the arena, and restores in any case", () => {
  const executing = leased();
  for (const body of [bodies.prepare.ok, bodies.inject.ok, bodies.solve.ok]) executing.next(body);
  executing.happen({ kind: "cancel" });
  expect(executing.record).toMatchObject({ state: "acting", outcome: "cancelled" });
  expect(executing.happen({ kind: "cancel" })).toBeUndefined();
  executing.next(bodies.act.ok);
  expect(executing.record.state).toBe("restoring");
  executing.next(bodies.restore.ok);
  expect(executing.record).toMatchObject({ state: "done", outcome: "cancelled" });

  const generating = leased();
  for (const body of [bodies.prepare.ok, bodies.inject.ok]) generating.next(body);
  generating.happen({ kind: "cancel" });
  expect(generating.record).toMatchObject({ state: "restoring", outcome: "cancelled" });

  const planned = advance(anEpisode(), aPlan(), { kind: "cancel" }, 1);
  expect(planned?.record).toMatchObject({ state: "done", outcome: "cancelled" });
});

test("a lost stage is given up after its deadline, not before, and its worker is excluded", () => {
  const plan = aPlan();
  const walk = leased(plan);
  const deadline = deadlineOf(walk.record, plan) ?? 0;
  expect(walk.happen({ kind: "overdue" }, deadline - 1)).toBeUndefined();
  const step = walk.happen({ kind: "overdue" }, deadline);
  expect(step?.effect).toMatchObject({ kind: "refence", arena: { fence: 2 } });
  expect(walk.record).toMatchObject({
    state: "restoring",
    arena: { fence: 2 },
    error: { code: "deadline-exceeded" },
  });
  walk.happen({ kind: "overdue" }, deadlineOf(walk.record, plan));
  expect(walk.effects.at(-1)).toBe("quarantine");
  expect(walk.record).toMatchObject({ state: "planned", trial: 2 });
});

test("a stage without a service is not lost at its deadline: its time counts from when a service takes it", () => {
  const plan = aPlan();
  const walk = leased(plan);
  const deadline = deadlineOf(walk.record, plan) ?? 0;
  expect(walk.happen({ kind: "unserved" }, deadline - 1)).toBeUndefined();
  const step = walk.happen({ kind: "unserved" }, deadline);
  expect(step?.note).toContain("no service has taken prepare");
  expect(walk.record).toMatchObject({ state: "leased", trial: 1, timings: [{ waitedUntil: deadline }] });
  expect(walk.happen({ kind: "overdue" }, deadline + 1)).toBeUndefined();
  const startedAt = walk.record.timings.at(-1)?.startedAt ?? 0;
  expect(deadlineOf(walk.record, plan)).toBe(deadline + (deadline - startedAt));
});

test("a stage that no service takes is lost when its cluster has been removed", () => {
  const plan = aPlan();
  const walk = leased(plan);
  const step = walk.happen({ kind: "cluster-removed" }, 1);
  expect(step?.effect).toMatchObject({ kind: "refence" });
  expect(walk.record).toMatchObject({ state: "restoring", error: { code: "cluster-unreachable" } });
  // Nothing restores the arena either: it is put aside, and the episode begins again on another one.
  walk.happen({ kind: "cluster-removed" }, 2);
  expect(walk.record).toMatchObject({ state: "planned", trial: 2, arena: null });
  expect(walk.happen({ kind: "cluster-removed" }, 3)).toBeUndefined();
});

test("a stage that is out is checked after one minute, two, four and so on, and at its deadline", () => {
  const plan = aPlan();
  const { record } = leased(plan);
  const startedAt = record.timings.at(-1)?.startedAt ?? 0;
  const minutes = [0, 0.5, 1, 1.9, 2, 7, 8, 47, 49].map((after) => {
    const at = nextCheck(record, plan, startedAt + after * 60_000) ?? 0;
    return (at - startedAt) / 60_000;
  });
  expect(minutes).toEqual([1, 1, 2, 2, 4, 8, 16, 50, 50]);
  expect(nextCheck({ ...record, state: "planned" }, plan, startedAt)).toBeUndefined();
  expect([0, 59_999, 60_000, 120_000, 240_000].map(checksAfter)).toEqual([0, 0, 1, 2, 3]);
});

test("a stage whose command went to the dead letters is lost at once, if the episode waits for it", () => {
  const error = { code: "invalid-message", message: "not readable", details: {} };
  const walk = leased();
  const other = { kind: "dead-letter" as const, stage: "inject" as const, trial: 1, attempt: 0, error };
  expect(walk.happen(other)).toBeUndefined();
  expect(walk.happen({ ...other, stage: "prepare", trial: 2 })).toBeUndefined();
  const step = walk.happen({ ...other, stage: "prepare" });
  expect(step?.effect).toMatchObject({ kind: "refence", arena: { fence: 2 } });
  expect(walk.record).toMatchObject({ state: "restoring", outcome: null, error });
  walk.happen({ ...other, stage: "restore" });
  expect(walk.effects.at(-1)).toBe("quarantine");
  expect(walk.record).toMatchObject({ state: "planned", trial: 2 });
});

test("ignores results of another stage, trial or attempt", () => {
  const walk = leased();
  walk.next(bodies.prepare.ok);
  const { record } = walk;
  const ignored = [
    aResult(record, "prepare", bodies.prepare.ok),
    aResult({ ...record, trial: 2 }, "inject", bodies.inject.ok),
    aResult({ ...record, attempt: 1 }, "inject", bodies.inject.ok),
  ];
  for (const result of ignored) {
    expect(advance(record, aPlan(), { kind: "result", result }, 1)).toBeUndefined();
  }
});

test("ends without an arena when none is left", () => {
  const step = advance(anEpisode(), aPlan(), { kind: "no-arena", reason: "all quarantined" }, 1);
  expect(step?.record).toMatchObject({ state: "done", outcome: "harness-error", reason: "all quarantined" });
});

/** Any event at any time: right answers, wrong ones, late ones, cancellations, lost stages. */
const anyEvent = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: fc.constant("answer" as const), pick: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("fail" as const), pick: fc.nat() }) },
  { weight: 1, arbitrary: fc.constant({ kind: "cancel" as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: "overdue" as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: "unserved" as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: "cluster-removed" as const }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("stale" as const), pick: fc.nat() }) },
);

const codes = ["internal", "model-overloaded", "stale-lease", "unknown-model", "fault-expired"];

test("whatever happens, an episode ends once, holds an arena whenever a stage is out, and gives back each it was lent", () => {
  fc.assert(
    fc.property(
      fc.array(anyEvent, { maxLength: 120 }),
      fc.integer({ min: 1, max: 3 }),
      (events, maxAttempts) => {
        const plan = { ...aPlan(), maxAttempts };
        let record = anEpisode({ alternatives: ["checkout"] });
        let now = 0;
        let lent = 0;
        let returned = 0;
        let ends = 0;
        let fence = 0;
        const ids = new Set<string>();
        const happen = (event: EpisodeEvent): void => {
          const step = advance(record, plan, event, now);
          if (!step) return;
          for (const { msgId } of messagesOf(record, step, plan, now)) {
            expect(ids.has(msgId)).toBe(false);
            ids.add(msgId);
          }
          if (step.effect?.kind === "release" || step.effect?.kind === "quarantine") returned++;
          if (step.record.state === "done") ends++;
          record = { ...step.record, version: record.version + 1 };
          fence = Math.max(fence, record.arena?.fence ?? 0);
          if (stageOut[record.state] !== undefined) expect(record.arena).not.toBeNull();
          expect(record.trial).toBeLessThanOrEqual(maxTrials + record.redraws.length);
          expect(attemptsOf(record).length).toBeLessThanOrEqual(maxAttempts);
        };
        const answer = (pick: number): void => {
          const stage = stageOut[record.state];
          if (stage === undefined) return;
          const possible = Object.values(bodies[stage]);
          const body = possible[pick % possible.length];
          happen({ kind: "result", result: StageResult.parse(aResult(record, stage, body)) });
        };
        const lend = (): void => {
          if (record.state !== "planned") return;
          lent++;
          happen({ kind: "leased", arena: { ...anArena, fence: fence + 1 } });
        };
        for (const event of events) {
          now += 1000;
          if (event.kind !== "cancel") lend();
          const stage = stageOut[record.state];
          if (event.kind === "answer") answer(event.pick);
          else if (event.kind === "cancel" || event.kind === "cluster-removed") happen(event);
          else if (event.kind === "overdue" || event.kind === "unserved") {
            now = Math.max(now, deadlineOf(record, plan) ?? 0);
            happen(event);
          } else if (stage && event.kind === "fail") {
            happen({
              kind: "result",
              result: aResult(record, stage, failedWith(codes[event.pick % codes.length] ?? "")),
            });
          } else if (stage && event.kind === "stale") {
            const old = { ...record, trial: record.trial + 1 };
            happen({ kind: "result", result: aResult(old, stage, failedWith("internal")) });
          }
        }
        // From here on the first answer of every stage: it must come to an end by itself.
        for (let i = 0; i < 100 && record.state !== "done"; i++) {
          now += 1000;
          lend();
          answer(0);
        }
        expect(record.state).toBe("done");
        expect(record.outcome).not.toBeNull();
        expect(ends).toBe(1);
        expect(returned).toBe(lent);
      },
    ),
    { numRuns: 500 },
  );
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
