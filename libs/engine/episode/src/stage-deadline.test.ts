import { expect, test } from "vitest";
import { checksAfter, deadlineOf, nextCheck } from "./stage-deadline.ts";
import { aPlan } from "./testing/builders.ts";
import { leased } from "./testing/walk.ts";

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
