import { type ExperimentRecord, ExperimentRequest } from "@microremed/contracts";
import { expect, test } from "vitest";
import { planAhead, plannedAtOnce } from "./plan-ahead.ts";
import type { SchedulerDeps } from "./service.types.ts";
import { aCatalog } from "./testing/catalog.ts";

const total = 2_200;
const request = ExperimentRequest.parse({ environment: "shop", model: "m", failures: { random: total } });
const record = { id: "exp", request, episodes: total } as ExperimentRecord;

/** A state in which `waiting` of the episodes planned so far have not begun. */
function range(planned: number, waiting: number) {
  const added: string[] = [];
  let woken = 0;
  const state = {
    experiments: {
      get: async () => ({ record, done: 0, cancelled: false, planned, total }),
      extend: async (_: unknown, from: number, episodes: readonly { id: string }[]) => {
        expect(from).toBe(planned);
        added.push(...episodes.map(({ id }) => id));
        return true;
      },
    },
    episodes: { pendingCount: async () => waiting },
  };
  const deps = { state, catalog: aCatalog, dispatchSoon: () => woken++ };
  return { added, run: () => planAhead(deps as unknown as SchedulerDeps, ["exp"]), woken: () => woken };
}

test("plans on when few episodes wait, from where it stopped, and not beyond the last", async () => {
  const middle = range(plannedAtOnce, 10);
  await middle.run();
  expect(middle.added).toHaveLength(plannedAtOnce / 2);
  expect([middle.added[0], middle.woken()]).toEqual(["exp.1000", 1]);
  const end = range(2_000, 10);
  await end.run();
  expect(end.added).toHaveLength(200);
});

test("plans nothing while enough wait, or when all are planned", async () => {
  for (const { added, run } of [range(plannedAtOnce, plannedAtOnce - 1), range(total, 0)]) {
    await run();
    expect(added).toEqual([]);
  }
});
