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

test("who saw a problem, did nothing until its arena was given back, and leaves then, has not solved it", () => {
  const shown = leased({ ...aPlan(), task: answeredRules });
  for (const body of [prepare.ok, inject.ok, failedWith("arena-given-back")]) shown.next(body);
  expect(shown.record).toMatchObject({ state: "restoring", outcome: null });
  const restoring = { ...shown.record };
  shown.happen(leave);
  expect(shown.record).toMatchObject({ outcome: "not-solved" });
  expect(shown.record.cancelledBy).toBeUndefined();
  // Also while it waits to be asked again, and in its next arena.
  const plan = { ...aPlan(), task: answeredRules };
  const waiting = leased(plan, restoring);
  waiting.next(restore.ok);
  const planned = waiting.record;
  expect(planned).toMatchObject({ state: "planned", trial: 2 });
  waiting.happen(leave);
  expect(waiting.record).toMatchObject({ state: "done", outcome: "not-solved" });
  const again = leased(plan, planned);
  again.happen(leave);
  again.next(prepare.ok);
  expect(again.record).toMatchObject({ outcome: "not-solved" });
});
