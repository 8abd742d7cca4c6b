import { episodeId } from "@microremed/contracts";
import { expect, test } from "vitest";
import { anEpisode, createExperiment, leased, leaseOne } from "./builders.ts";
import type { CreateState } from "./state-under-test.ts";

export function testLeases(create: CreateState): void {
  test("fifty claims at once lease every arena to one episode only", async () => {
    await using tested = await create();
    const { state } = tested;
    await using other = await tested.another();
    await createExperiment(state, { id: "exp", episodes: 30, maxParallel: 100 });
    await state.arenas.register([
      { name: "c1", arenas: 10 },
      { name: "c2", arenas: 10 },
    ]);
    const leases = await Promise.all(
      Array.from({ length: 50 }, (_, i) => (i % 2 ? state : other).arenas.leaseNext({ claimMs: 60_000 })),
    );
    const given = leases.filter((lease) => lease !== undefined);
    expect(given).toHaveLength(20);
    expect(new Set(given.map(({ cluster, slot }) => `${cluster}/${slot}`)).size).toBe(20);
    expect(given.map(({ episodeId }) => episodeId).toSorted()).toEqual(
      Array.from({ length: 20 }, (_, i) => episodeId("exp", i)),
    );
  });

  test("a lease whose episode never heard of it ends, and the episode waits again", async () => {
    await using tested = await create();
    const { state } = tested;
    await state.arenas.register([{ name: "c1", arenas: 1 }]);
    await createExperiment(state, { id: "one" });
    const lease = await state.arenas.leaseNext({ claimMs: 0 });
    expect(await state.experiments.waiting()).toEqual([]);
    if (!lease) throw new Error("nothing leased");
    const { waiting, unplanned, ...known } = lease;
    expect({ waiting, unplanned }).toEqual({ waiting: 0, unplanned: 0 });
    expect(await state.arenas.expiring(1000)).toEqual([{ ...known, over: true }]);
    expect(await state.arenas.abandon(lease, await state.episodes.get("one.0000"))).toBe(true);
    expect(await state.arenas.abandon(lease, await state.episodes.get("one.0000"))).toBe(false);
    // The scheduler that leased it, waking up late, cannot take it any more.
    const { cluster, slot, fence } = lease;
    const arena = { cluster, slot, fence, namespace: "shop" };
    const next = { ...anEpisode("one", 0), state: "leased" as const, arena };
    const effect = { kind: "take", arena, leaseMs: 60_000 } as const;
    await expect(state.episodes.transition(0, { next, messages: [], effect })).rejects.toMatchObject({
      code: "stale-lease",
    });
    const again = await state.arenas.leaseNext({ claimMs: 1 });
    expect(again).toMatchObject({ episodeId: "one.0000", fence: fence + 1 });
    const taken = { ...arena, fence: fence + 1 };
    await state.episodes.transition(0, {
      next: { ...next, arena: taken },
      messages: [],
      effect: { ...effect, arena: taken },
    });
    expect(await state.arenas.expiring(30_000)).toEqual([]);
  });

  test("a lease ends at its time unless it is renewed", async () => {
    await using tested = await create();
    const { state } = tested;
    await state.arenas.register([{ name: "c1", arenas: 1 }]);
    await createExperiment(state, { id: "one" });
    const { episodeId, cluster, slot } = await leaseOne(state);
    expect(await state.arenas.expiring(30_000)).toEqual([]);
    expect(await state.arenas.expiring(90_000)).toMatchObject([{ episodeId, over: false }]);
    await state.arenas.renew({ cluster, slot }, 600_000);
    expect(await state.arenas.expiring(90_000)).toEqual([]);
    await state.arenas.renew({ cluster, slot }, 30_000);
    expect(await state.arenas.expiring(29_999)).toEqual([]);
    await tested.pass(30_000);
    expect(await state.arenas.expiring(0)).toMatchObject([{ episodeId, over: true }]);
    // A free arena has no lease to renew.
    await state.arenas.renew({ cluster: "c2", slot: 0 }, 300);
    expect(await state.arenas.expiring(1_000)).toHaveLength(1);
  });

  test("an episode that went on since is not put back in the queue", async () => {
    await using tested = await create();
    const { state } = tested;
    await state.arenas.register([{ name: "c1", arenas: 1 }]);
    await createExperiment(state, { id: "one" });
    const lease = await leaseOne(state);
    const before = await state.episodes.get(lease.episodeId);
    await state.episodes.transition(0, { next: anEpisode("one", 0), messages: [] });
    expect(await state.arenas.abandon(lease, before)).toBe(false);
    expect(await state.arenas.abandon({ ...lease, fence: 9 }, undefined)).toBe(false);
    expect(await state.arenas.abandon(lease, undefined)).toBe(true);
    expect(await state.arenas.get(lease)).toMatchObject({ episode: null, known: true });
  });

  test("the arena of an episode whose record stays unreadable is taken back when its lease has long been over", async () => {
    await using tested = await create();
    const { state } = tested;
    await using other = await tested.another();
    await state.arenas.register([{ name: "c1", arenas: 1 }]);
    await createExperiment(state, { id: "one", episodes: 2, maxParallel: 1 });
    const { record, arena } = await leased(state);
    await state.episodes.transition(1, { next: { ...record, state: "unheard-of" as never }, messages: [] });
    await expect(other.episodes.get(record.id)).rejects.toMatchObject({
      code: "internal",
      severity: "terminal",
    });
    const { namespace: _namespace, ...place } = arena;
    const lease = { ...place, experimentId: "one", episodeId: record.id };
    const why = { reason: "its record is unreadable", overMs: 30_000 };
    await state.arenas.renew(arena, 60_000);
    expect(await other.arenas.reclaim(lease, why)).toBe(false);
    await tested.pass(60_001);
    expect(await other.arenas.reclaim(lease, why)).toBe(false);
    await tested.pass(30_000);
    expect(await other.arenas.reclaim({ ...lease, fence: 9 }, why)).toBe(false);
    expect(await other.arenas.reclaim(lease, why)).toBe(true);
    expect(await state.arenas.reclaim(lease, why)).toBe(false);
    // A holder that still works there is refused, and no episode gets the arena before it is readmitted, as empty.
    const key = { ...lease, arena, trial: 1, attempt: 0, stage: "restore" } as const;
    expect(await state.claims.take(key, "a worker", 1_000)).toEqual({
      status: "stale",
      fence: arena.fence + 1,
    });
    expect(await state.arenas.expiring(1e9)).toEqual([]);
    expect(await state.episodes.active("one")).toEqual([]);
    expect(await state.arenas.leaseNext({ claimMs: 1 })).toBeUndefined();
    expect(await state.arenas.get(arena)).toMatchObject({ quarantined: why.reason, episode: null });
    await state.arenas.readmit(arena);
    expect(await state.arenas.leaseNext({ claimMs: 1 })).toMatchObject({
      episodeId: "one.0001",
      fence: arena.fence + 2,
    });
  });
}
