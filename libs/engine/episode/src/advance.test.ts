import { attemptsOf, StageResult, stageOut } from "@microremed/contracts";
import fc from "fast-check";
import { expect, test } from "vitest";
import { advance } from "./advance.ts";
import { maxTrials } from "./conclude.ts";
import type { EpisodeEvent } from "./episode-event.ts";
import { messagesOf } from "./messages-of.ts";
import { deadlineOf } from "./stage-deadline.ts";
import { anArena, anEpisode, aPlan, aResult, bodies, failedWith } from "./testing/builders.ts";
import { leased } from "./testing/walk.ts";

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
