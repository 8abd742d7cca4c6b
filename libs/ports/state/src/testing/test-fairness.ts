import { expect, test } from "vitest";
import { anEpisode, createExperiment } from "./builders.ts";
import type { CreateState } from "./state-under-test.ts";

export function testFairness(create: CreateState): void {
  test("a higher priority gets a larger share of the arenas, and no experiment starves", async () => {
    await using tested = await create();
    const { state } = tested;
    await createExperiment(state, { id: "urgent", episodes: 100, maxParallel: 100, priority: 9 });
    await createExperiment(state, { id: "normal", episodes: 100, maxParallel: 100 });
    await createExperiment(state, { id: "lowest", episodes: 100, maxParallel: 100, priority: 0 });
    await state.arenas.register([{ name: "c1", arenas: 65 }]);
    const given: Record<string, number> = {};
    for (let i = 0; i < 65; i++) {
      const id = (await state.arenas.leaseNext({ claimMs: 60_000 }))?.experimentId ?? "nobody";
      given[id] = (given[id] ?? 0) + 1;
    }
    // Shares are as 1/1, 1/5 and 1/10.
    expect(given).toEqual({ urgent: 50, normal: 10, lowest: 5 });
  });

  test("models of one experiment share its arenas: a slow one holds no more than its part while another has work", async () => {
    await using tested = await create();
    const { state } = tested;
    await state.arenas.register([{ name: "c1", arenas: 6 }]);
    await createExperiment(state, { id: "matrix", episodes: 40, model: ["slow", "fast"], maxParallel: 6 });
    const held = { slow: 0, fast: 0 };
    const taken: number[] = [];
    // The slow model's episodes never end; every other one ends at once.
    for (;;) {
      const lease = await state.arenas.leaseNext({ claimMs: 60_000 });
      if (!lease) break;
      const index = Number(lease.episodeId.slice(-4));
      taken.push(index);
      if (index % 2 === 0) {
        held.slow++;
        expect(held.slow).toBeLessThanOrEqual(taken.filter((one) => one % 2 === 1).length < 20 ? 3 : 6);
        continue;
      }
      held.fast++;
      const arena = { ...lease, namespace: "shop" };
      const next = {
        ...anEpisode("matrix", index),
        arena,
        state: "done" as const,
        outcome: "cancelled" as const,
      };
      await state.episodes.transition(0, { next, messages: [], effect: { kind: "release", arena } });
    }
    expect(held.fast).toBe(20);
    expect(taken.filter((index) => index % 2 === 1)).toEqual(Array.from({ length: 20 }, (_, i) => 2 * i + 1));
    // When no other model waits, the rest of the arenas is the slow one's.
    expect(held.slow).toBe(6);
  });

  test("experiments take turns, keep to their own bound and to the clusters they may use", async () => {
    await using tested = await create();
    const { state } = tested;
    await createExperiment(state, { id: "big", episodes: 10, maxParallel: 3 });
    await createExperiment(state, { id: "small", episodes: 10, clusters: ["c2"] });
    await state.arenas.register([
      { name: "c1", arenas: 5 },
      { name: "c2", arenas: 5 },
    ]);
    const order: string[] = [];
    for (;;) {
      const lease = await state.arenas.leaseNext({ claimMs: 60_000 });
      if (!lease) break;
      order.push(`${lease.experimentId}@${lease.cluster}`);
    }
    expect(order).toEqual([
      "big@c1",
      "small@c2",
      "big@c1",
      "small@c2",
      "big@c1",
      "small@c2",
      "small@c2",
      "small@c2",
    ]);
  });

  test("a lease says how many episodes wait still, and how many are to be planned yet", async () => {
    await using tested = await create();
    const { state } = tested;
    await state.arenas.register([{ name: "c1", arenas: 1 }]);
    await createExperiment(state, { id: "exp", episodes: 5, total: 100 });
    expect(await state.arenas.leaseNext({ claimMs: 1 })).toMatchObject({ waiting: 4, unplanned: 95 });
  });
}
