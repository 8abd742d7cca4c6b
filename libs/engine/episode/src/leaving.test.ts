import { expect, test } from "vitest";
import { advance } from "./advance.ts";
import { anEpisode, answeredRules, aPlan, bodies, failedWith } from "./testing/builders.ts";
import { leased } from "./testing/walk.ts";

const leave = { kind: "cancel", by: "agent" } as const;
const { prepare, inject, solve, act, grade, restore } = bodies;

test("an agent that leaves in its turn has not solved the problem", () => {
  const walk = leased({ ...aPlan(), task: answeredRules });
  for (const body of [prepare.ok, inject.ok]) walk.next(body);
  walk.happen(leave);
  expect(walk.record).toMatchObject({
    state: "restoring",
    outcome: "not-solved",
    reason: "the agent gave no answer: the agent left",
    steps: [{ tool: "nothing" }],
  });
  expect(walk.record.cancelledBy).toBeUndefined();
  walk.next(restore.ok);
  expect(walk.record).toMatchObject({ state: "done", outcome: "not-solved" });
});

test.each([
  ["that did not help", grade.not, "not-remediated"],
  ["that was right", grade.recovered, "remediated"],
])("a move %s is judged also when its agent has left meanwhile", (_, graded, outcome) => {
  const walk = leased();
  for (const body of [prepare.ok, inject.ok, solve.ok]) walk.next(body);
  expect(walk.happen(leave)).toBeUndefined();
  walk.next(act.ok);
  expect(walk.happen(leave)).toBeUndefined();
  walk.next(graded);
  // Its next turn is one that it is not there for.
  if (walk.record.state === "solving") walk.happen(leave);
  expect(walk.record).toMatchObject({ state: "restoring", outcome });
});

test("what an agent was never asked is cancelled by it", () => {
  const planned = advance(anEpisode(), aPlan(), leave, 1);
  expect(planned?.record).toMatchObject({ state: "done", outcome: "cancelled", cancelledBy: "agent" });
  const preparing = leased();
  preparing.happen(leave);
  expect(preparing.record).toMatchObject({ state: "leased", outcome: "cancelled", cancelledBy: "agent" });
  expect(preparing.happen(leave)).toBeUndefined();
  preparing.next(prepare.ok);
  expect(preparing.record.state).toBe("restoring");
});

test("an error of the harness that was to be tried again is what ends the episode", () => {
  const broken = leased();
  for (const body of [prepare.ok, inject.ok, solve.ok, failedWith("cluster-unreachable")]) broken.next(body);
  const restoring = { ...broken.record };
  broken.happen(leave);
  expect(broken.record).toMatchObject({ state: "restoring", outcome: "harness-error" });
  expect(broken.record.cancelledBy).toBeUndefined();
  const again = leased(aPlan(), restoring);
  again.next(restore.ok);
  again.happen(leave);
  expect(again.record).toMatchObject({ state: "done", outcome: "harness-error", trial: 2 });
});
