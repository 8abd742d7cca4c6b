import { expect, test } from "vitest";
import { commandOf } from "./stage-command.ts";
import { anEpisode, aPlan, bodies } from "./testing/builders.ts";
import { leased } from "./testing/walk.ts";

/** The command for the agent of a model, under the limits of a request and of its problem. */
function asked(model: string, request = {}, limits = {}) {
  const plan = aPlan(request);
  const walk = leased(plan);
  for (const body of [bodies.prepare.ok, bodies.inject.ok]) walk.next(body);
  const problem = anEpisode({ problem: { ...aProblem, limits } }).problem;
  return commandOf({ ...walk.record, model, ...(problem && { problem }) }, plan)?.body;
}
const aProblem = { id: "suite@1/one", environment: "shop", report: "none", concealment: "neutral" } as const;

test("each model of a request gets the calls that it needs, unless the request or the problem says how many", () => {
  expect(asked("gpt")).toMatchObject({ maxProbes: 12, budgets: { probeRounds: 40, toolCalls: 120 } });
  const budgets = { probeRounds: 1000, toolCalls: 2000, tokens: 100_000_000, seconds: 3600 };
  expect(asked("reference/expert")).toMatchObject({ maxProbes: 100, budgets });
  const few = { maxProbes: 3, budgets: { toolCalls: 5 } };
  expect(asked("reference/expert", few)).toMatchObject({
    maxProbes: 3,
    budgets: { ...budgets, toolCalls: 5 },
  });
  expect(asked("reference/expert", few, { maxProbes: 7 })).toMatchObject({ maxProbes: 7 });
});
