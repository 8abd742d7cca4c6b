import { ExperimentRequest } from "@microremed/contracts";
import { aRunningExperiment } from "@microremed/contracts/testing";
import { expect, test } from "vitest";
import { aMessage, anEpisode, claimedNames, createExperiment } from "./builders.ts";
import type { CreateState } from "./state-under-test.ts";

export function testExperiments(create: CreateState): void {
  test("creates an experiment with its episodes once, however often and from wherever it is asked to", async () => {
    await using tested = await create();
    const { state } = tested;
    const created = await Promise.all(
      [1, 2, 3].map(() => createExperiment(state, { id: "exp", episodes: 500 })),
    );
    expect(created.filter(Boolean)).toHaveLength(1);
    expect(await state.episodes.pending("exp", 1000)).toHaveLength(500);
    expect(await state.episodes.get("exp.0499")).toEqual(anEpisode("exp", 499));
    expect(await claimedNames(state)).toEqual(["exp/started"]);
    expect((await state.experiments.list(10)).map(({ id }) => id)).toEqual(["exp"]);
  });

  test("an experiment is extended once from each point, and not after it was cancelled", async () => {
    await using tested = await create();
    const { state } = tested;
    await createExperiment(state, { id: "exp", episodes: 2, total: 6 });
    const { record } = (await state.experiments.get("exp")) ?? {};
    if (!record) throw new Error("no experiment");
    await state.arenas.register([{ name: "c", arenas: 3 }]);
    for (const index of [0, 1]) {
      expect(await state.arenas.leaseNext({ claimMs: 60_000 })).toMatchObject({
        episodeId: anEpisode("exp", index).id,
      });
    }
    expect(await state.experiments.waiting()).toEqual([]);
    const next = [anEpisode("exp", 2), anEpisode("exp", 3)];
    const added = await Promise.all([1, 2, 3].map(() => state.experiments.extend(record, 2, next)));
    expect(added.filter(Boolean)).toHaveLength(1);
    expect(await state.episodes.pending("exp", 10)).toEqual(next.map(({ id }) => id));
    expect(await state.arenas.leaseNext({ claimMs: 60_000 })).toMatchObject({
      episodeId: anEpisode("exp", 2).id,
    });
    await state.experiments.cancel("exp", "agent");
    expect(await state.experiments.extend(record, 4, [anEpisode("exp", 4)])).toBe(false);
    expect(await state.experiments.get("exp")).toMatchObject({
      ...{ cancelled: true, cancelledBy: "agent", planned: 4, total: 4 },
    });
  });

  test("a cancelled experiment gets no arena, and an experiment is finished once", async () => {
    await using tested = await create();
    const { state } = tested;
    await state.arenas.register([{ name: "c1", arenas: 1 }]);
    await createExperiment(state, { id: "one" });
    expect(await state.experiments.cancel("one")).toBe(true);
    expect(await state.experiments.cancel("nobody")).toBe(false);
    // Who was first is kept.
    expect(await state.experiments.cancel("one", "agent")).toBe(true);
    expect(await state.experiments.get("one")).not.toHaveProperty("cancelledBy");
    expect(await state.arenas.leaseNext({ claimMs: 1 })).toBeUndefined();
    const record = (await state.experiments.get("one"))?.record;
    if (!record) throw new Error("no experiment");
    const closed = { ...record, status: "cancelled" as const, finishedAt: 2 };
    expect(await state.experiments.finish(closed, [])).toBe(false);
    await state.episodes.transition(0, { next: { ...anEpisode("one", 0), state: "done" }, messages: [] });
    const finished = await Promise.all([1, 2].map(() => state.experiments.finish(closed, [aMessage("end")])));
    expect(finished.toSorted()).toEqual([false, true]);
    expect(await state.experiments.running()).toEqual([]);
    expect((await state.experiments.get("one"))?.record.status).toBe("cancelled");
  });

  test("another experiment of the same id is not created, and adds no episodes", async () => {
    await using tested = await create();
    const { state } = tested;
    expect(await createExperiment(state, { id: "exp", episodes: 2 })).toBe(true);
    expect(await createExperiment(state, { id: "exp", episodes: 4, maxParallel: 9 })).toBe(false);
    expect(await state.experiments.get("exp")).toMatchObject({ planned: 2, total: 2, done: 0 });
    expect(await state.experiments.get("nobody")).toBeUndefined();
  });

  test("an experiment that was stored before a field came is read with its default", async () => {
    await using tested = await create();
    const { state } = tested;
    const request = ExperimentRequest.parse({ id: "old", environment: "shop", model: "reference/noop" });
    const { harnessVersion: _, ...old } = aRunningExperiment("old", request);
    const options = { wants: "shop@shop", episodes: [anEpisode("old", 0)], messages: [] };
    await state.experiments.create(old as typeof old & { harnessVersion: string }, options);
    const read = await state.experiments.get("old");
    expect(read?.record).toEqual({ ...old, harnessVersion: "unknown" });
  });

  test("the list is of the latest submitted, and a missing experiment cannot be finished", async () => {
    await using tested = await create();
    const { state } = tested;
    for (const id of ["exp-a", "exp-b", "exp-c"]) await createExperiment(state, { id });
    expect((await state.experiments.list(2)).map(({ id }) => id)).toEqual(["exp-c", "exp-b"]);
    expect((await state.experiments.running()).toSorted()).toEqual(["exp-a", "exp-b", "exp-c"]);
    const request = ExperimentRequest.parse({ id: "nobody", environment: "shop", model: "reference/noop" });
    expect(await state.experiments.finish(aRunningExperiment("nobody", request), [aMessage("end")])).toBe(
      false,
    );
    expect(await state.experiments.get("nobody")).toBeUndefined();
  });
}
