import { expect, test } from "vitest";
import type { NewLease } from "../arenas.ts";
import { anEpisode, createExperiment, leaseOne } from "./builders.ts";
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

  test("owners share the arenas, whatever the number of their experiments: the one with the fewest is next", async () => {
    await using tested = await create();
    const { state } = tested;
    const many = Array.from({ length: 150 }, (_, i) => `many-${i}`);
    for (const id of many) await createExperiment(state, { id, owner: "greedy", priority: 9 });
    await createExperiment(state, { id: "bulk", episodes: 100, maxParallel: 100 });
    await state.arenas.register([{ name: "c1", arenas: 9 }]);
    const take = async (): Promise<string> => {
      const { experimentId: id } = await leaseOne(state);
      return id.startsWith("many") ? "greedy" : id;
    };
    expect([await take(), await take(), await take(), await take()]).toEqual([
      "greedy",
      "bulk",
      "greedy",
      "bulk",
    ]);
    // Who comes last and holds nothing is next, until all hold equally many.
    await createExperiment(state, { id: "honest", episodes: 9, maxParallel: 9, owner: "honest" });
    expect([await take(), await take(), await take(), await take(), await take()]).toEqual([
      "honest",
      "honest",
      "greedy",
      "bulk",
      "honest",
    ]);
  });

  test("owners take turns at the only arena, also one that always comes with a new experiment", async () => {
    await using tested = await create();
    const { state } = tested;
    await state.arenas.register([{ name: "c1", arenas: 1 }]);
    await createExperiment(state, { id: "long", episodes: 3, owner: "b" });
    const served: string[] = [];
    for (let i = 0; i < 6; i++) {
      await createExperiment(state, { id: `again-${i}`, owner: "a" });
      const lease = await leaseOne(state);
      served.push(lease.experimentId.replace(/-.*/, ""));
      const index = Number(lease.episodeId.slice(-4));
      const arena = { ...lease, namespace: "shop" };
      const next = {
        ...anEpisode(lease.experimentId, index),
        ...{ arena, state: "done" as const, outcome: "cancelled" as const },
      };
      await state.episodes.transition(0, { next, messages: [], effect: { kind: "release", arena } });
    }
    expect(served).toEqual(["long", "again", "long", "again", "long", "again"]);
  });

  test("an episode gives its arena back when another owner waits and none is free, one for each that waits", async () => {
    await using tested = await create();
    const { state } = tested;
    await state.arenas.register([
      { name: "c1", arenas: 3 },
      { name: "c2", arenas: 1 },
    ]);
    await createExperiment(state, { id: "first", episodes: 9, maxParallel: 4, owner: "greedy" });
    const leases = [];
    for (let i = 0; i < 4; i++) leases.push(await leaseOne(state));
    const [one, two, three, far] = leases as [NewLease, NewLease, NewLease, NewLease];
    const goes = (lease: NewLease, isSilent = false) => state.arenas.giveBack(lease, isSilent);
    // No other one waits: neither who has it already nor who is cancelled, nor who may use another cluster only.
    await createExperiment(state, { id: "more", owner: "greedy" });
    await createExperiment(state, { id: "gone", owner: "other" });
    await state.experiments.cancel("gone");
    await createExperiment(state, { id: "picky", clusters: ["c2"], owner: "picky" });
    expect([await goes(one), await goes(one, true)]).toEqual([false, false]);
    expect([await goes(far), await goes(far)]).toEqual([true, true]);
    // Asked again, the same one goes; for another one a further owner has to wait.
    await createExperiment(state, { id: "plain", episodes: 2 });
    expect([await goes(one), await goes(one), await goes(two), await goes(two, true)]).toEqual([
      true,
      true,
      false,
      false,
    ]);
    await createExperiment(state, { id: "third", owner: "third" });
    expect([await goes(two), await goes({ ...three, fence: 9 }), await goes(three)]).toEqual([
      true,
      false,
      false,
    ]);
  });

  test("the only arena is given back in silence, to an owner that has none; who has no owner gives none", async () => {
    await using tested = await create();
    const { state } = tested;
    await state.arenas.register([{ name: "c1", arenas: 2 }]);
    await createExperiment(state, { id: "mine", owner: "mine" });
    const own = await leaseOne(state);
    await createExperiment(state, { id: "plain", episodes: 2 });
    const plain = await leaseOne(state);
    // Who waits holds as many: the arena would come back.
    expect([await state.arenas.giveBack(own, false), await state.arenas.giveBack(own, true)]).toEqual([
      false,
      false,
    ]);
    await createExperiment(state, { id: "other", owner: "other" });
    expect(await state.arenas.giveBack(own, false)).toBe(false);
    expect(await state.arenas.giveBack(own, true)).toBe(true);
    expect(await state.arenas.giveBack(plain, true)).toBe(false);
    // What it has free it gets.
    await state.arenas.register([{ name: "c1", arenas: 4 }]);
    expect(await state.arenas.giveBack(own, true)).toBe(false);
  });

  test("a lease says how many episodes wait still, and how many are to be planned yet", async () => {
    await using tested = await create();
    const { state } = tested;
    await state.arenas.register([{ name: "c1", arenas: 1 }]);
    await createExperiment(state, { id: "exp", episodes: 5, total: 100 });
    expect(await state.arenas.leaseNext({ claimMs: 1 })).toMatchObject({ waiting: 4, unplanned: 95 });
  });
}
