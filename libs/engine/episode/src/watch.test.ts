import { type CommandOf, EpisodeRecord, noUsage } from "@microremed/contracts";
import { expect, test } from "vitest";
import type { EpisodePlan } from "./plan.ts";
import { commandOf } from "./stage-command.ts";
import { aPlan, bodies } from "./testing/builders.ts";
import { leased, type Walk } from "./testing/walk.ts";

const watch = { windows: 3, windowSeconds: 90, withinWindows: 3 };
const parts = [{ name: "detection", answered: true, mayAct: false }];
const outcomes = { passed: "solved", failed: "not-solved" } as const;
const plan: EpisodePlan = {
  ...aPlan({ watch }),
  task: { answered: false, mayAct: false, outcomes, parts, watch: true },
};

const submitted = { status: "submit", answer: {}, observations: [], usage: noUsage, probes: 1 };
const said = (alarm: boolean, passed: boolean) => ({
  status: "ok",
  grade: { passed, score: Number(passed), parts: {}, reason: alarm ? "yes" : "no", alarm },
  verdict: null,
});
const { baseline, injection } = bodies.inject.ok;
const calm = { ...injection, verdict: { ...injection.verdict, oracle: "none" } };

/** The command of the window that is out. */
const windowOut = ({ record }: Walk) => commandOf(record, plan)?.body as CommandOf<"inject">;

/** Lets a window pass as its command says. */
function pass(walk: Walk, hasCome?: boolean): void {
  const { window } = windowOut(walk);
  const isIn = hasCome ?? (window?.faultAfter !== null || window?.before?.injection.verdict.oracle === "cpu");
  const to = 1000 * 90 * Math.max(1, walk.record.attempt);
  walk.next({
    status: "ok",
    baseline,
    injection: isIn ? injection : calm,
    window: { from: to - 90_000, to },
  });
}

/** The step with which a turn of the first window has ended. */
function endOf(walk: Walk) {
  pass(walk, false);
  walk.next(submitted);
  const [step] = walk.record.steps;
  if (step?.kind !== "submit") throw new Error("nothing was submitted");
  return step;
}

function begun(caseId: string, failure = "cpu-stress"): Walk {
  const walk = leased(plan, { task: "monitoring", caseId, failure });
  walk.next(bodies.prepare.ok);
  return walk;
}

test("the window of the fault in a trial after a broken one says nothing of the one before", () => {
  const step = { ...endOf(begun("1/a")), reason: "it broke off" };
  const earlier = [
    { trial: 1, target: "cart", arena: null, reason: "it broke off", error: null, steps: [step] },
  ];
  const windowOf = (caseId: string, more: object) => {
    const walk = leased(plan, { task: "monitoring", caseId, failure: "cpu-stress", ...more });
    walk.next(bodies.prepare.ok);
    let window = 1;
    while (windowOut(walk).window?.faultAfter === null) {
      pass(walk, false);
      for (const body of [submitted, said(false, true)]) walk.next(body);
      window++;
    }
    return window;
  };
  const cases = Array.from({ length: 120 }, (_, i) => `1/${i}`);
  const both = cases.map((caseId) => [windowOf(caseId, {}), windowOf(caseId, { earlier })] as const);
  // A third of them, as chance has it.
  const same = both.filter(([first, second]) => first === second).length;
  expect(same).toBeGreaterThan(20);
  expect(same).toBeLessThan(60);
});

test("the agent is asked window by window until its alarm, and what it is asked is always the first question", () => {
  const walk = begun("1/a");
  expect(windowOut(walk)).toMatchObject({ attempt: 0, historySeconds: 180, window: { seconds: 90 } });
  expect(windowOut(walk).window).not.toHaveProperty("before");
  pass(walk);
  expect(walk.record).toMatchObject({
    state: "solving",
    attempt: 1,
    watched: { from: 0, askedAt: 90_000, windowSeconds: 90 },
  });
  const first = commandOf(walk.record, plan)?.body;
  expect(first).toMatchObject({ task: "detection", concealment: "neutral", feedback: null });
  expect(first).toMatchObject({ diagnosis: { kind: "none" }, window: { number: 1, seconds: 90 } });
  for (const body of [submitted, said(false, true)]) walk.next(body);
  expect(walk.record).toMatchObject({ state: "prepared", attempt: 2, outcome: null });
  expect(windowOut(walk)).toMatchObject({ attempt: 2, window: { before: { baseline } } });
  pass(walk);
  expect(commandOf(walk.record, plan)?.body).toMatchObject({
    attempt: 2,
    firstAttempt: 2,
    feedback: null,
    window: { number: 2 },
    budgets: { probeRounds: 80, toolCalls: 240, tokens: 1_000_000 },
  });
  for (const body of [submitted, said(true, true)]) walk.next(body);
  expect(walk.record).toMatchObject({ state: "restoring", outcome: "solved", reason: "yes" });
  expect(walk.record.steps.map(({ clusterTime }) => clusterTime)).toEqual([90_000, 180_000]);
  expect(EpisodeRecord.parse(walk.record)).toEqual(walk.record);
});

test("a watch without an alarm is over after its last window; who says nothing has not answered in it", () => {
  const silent = [{ ...bodies.solve.none }];
  const no = (passed: boolean) => [submitted, said(false, passed)];
  const outcomeOf = (...windows: unknown[][]) => {
    const walk = begun("1/b", "none");
    for (const bodies of windows) {
      pass(walk);
      for (const body of bodies) walk.next(body);
    }
    return [walk.record.state, walk.record.outcome];
  };
  expect(outcomeOf(no(true), no(true), no(true))).toEqual(["restoring", "solved"]);
  expect(outcomeOf(no(true), silent, no(true))).toEqual(["restoring", "solved"]);
  expect(outcomeOf(no(true), no(true), no(false))).toEqual(["restoring", "not-solved"]);
  expect(outcomeOf(no(true), no(true), silent)).toEqual(["restoring", "not-solved"]);
  expect(outcomeOf(no(true), silent)).toEqual(["prepared", null]);
  const ranOut = { ...bodies.solve.none, exhausted: "tokens" };
  expect(outcomeOf(no(true), [ranOut])).toEqual(["restoring", "not-solved"]);
});

/** In which window the case's fault comes, and when. */
function faultOf(caseId: string, failure?: string): string[] {
  const walk = begun(caseId, failure);
  const faults: string[] = [];
  for (let window = 1; window <= watch.windows; window++) {
    const { faultAfter } = windowOut(walk).window ?? {};
    if (typeof faultAfter === "number") faults.push(`${window}:${faultAfter}`);
    pass(walk);
    for (const body of [submitted, said(false, true)]) walk.next(body);
  }
  return faults;
}

test("the fault comes once, in a window that the case's seed draws, and in none of a healthy watch", () => {
  const drawn = Array.from({ length: 60 }, (_, i) => faultOf(`${i}/a`));
  expect(drawn.every((faults) => faults.length === 1)).toBe(true);
  expect(new Set(drawn.map(([fault]) => fault?.split(":")[0]))).toEqual(new Set(["1", "2", "3"]));
  const seconds = drawn.map(([fault]) => Number(fault?.split(":")[1]));
  expect(Math.max(...seconds)).toBeLessThanOrEqual(30);
  expect(new Set(seconds).size).toBeGreaterThan(10);
  expect(faultOf("7/a")).toEqual(faultOf("7/a"));
  expect(faultOf("7/a", "none")).toEqual([]);
});

test("a fault that was not found in so many windows was missed, and the watch is over: a late alarm finds nothing", () => {
  const short = { ...plan, request: { ...plan.request, watch: { ...watch, windows: 12, withinWindows: 2 } } };
  const asked = Array.from({ length: 30 }, (_, i) => {
    const walk = leased(short, { task: "monitoring", caseId: `${i}/late`, failure: "cpu-stress" });
    walk.next(bodies.prepare.ok);
    let fault: number | undefined;
    for (let window = 1; walk.record.state === "prepared"; window++) {
      const command = commandOf(walk.record, short)?.body as CommandOf<"inject">;
      if (command.window?.faultAfter !== null) fault = window;
      pass(walk, fault !== undefined);
      for (const body of [submitted, said(false, fault === undefined)]) walk.next(body);
      if (window > 12) throw new Error("the watch does not end");
    }
    expect(walk.record.outcome).toBe("not-solved");
    return { windows: walk.record.attempt, fault: fault ?? 0 };
  });
  for (const { windows, fault } of asked) expect(windows).toBe(Math.min(12, fault + 1));
  expect(asked.some(({ windows }) => windows < 12)).toBe(true);
});

test("a fault without effect is drawn again on a fresh arena, and the watch begins again", () => {
  const walk = begun("1/c");
  pass(walk);
  for (const body of [submitted, said(false, true)]) walk.next(body);
  walk.next(bodies.inject["no-effect"]);
  walk.next(bodies.restore.ok);
  expect(walk.record).toMatchObject({ state: "planned", trial: 2, attempt: 0, steps: [] });
  expect(walk.record).not.toHaveProperty("watched");
});

test("a problem's own windows win over the request's, and a fault has a third of one to be proven", () => {
  const walk = begun("1/d");
  const problem = { id: "a@1/b", environment: "shop", report: "none", concealment: "neutral" } as const;
  walk.record = {
    ...walk.record,
    problem: { ...problem, watch: { windows: 1, windowSeconds: 60, withinWindows: 3 } },
  };
  expect(windowOut(walk)).toMatchObject({ timeoutSeconds: 20, window: { seconds: 60 } });
  expect(windowOut(walk).window?.faultAfter).toBeTypeOf("number");
  pass(walk);
  for (const body of [submitted, said(false, false)]) walk.next(body);
  expect(walk.record).toMatchObject({ outcome: "not-solved" });
});
