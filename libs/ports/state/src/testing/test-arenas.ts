import { expect, test } from "vitest";
import { createExperiment, leased, leaseOne } from "./builders.ts";
import type { CreateState } from "./state-under-test.ts";

export function testArenas(create: CreateState): void {
  test("a released arena is leased again under a higher fence, and remembers what is deployed there", async () => {
    await using tested = await create();
    const { state } = tested;
    await state.arenas.register([{ name: "c1", arenas: 1 }]);
    await createExperiment(state, { id: "one" });
    await createExperiment(state, { id: "two" });
    const { record, arena } = await leased(state);
    expect(await state.arenas.currentFence(arena)).toBe(arena.fence);
    expect(await state.episodes.overdue(2000, 10)).toEqual([record.id]);
    await state.episodes.checkAgain(record.id, 3000);
    expect(await state.episodes.overdue(2000, 10)).toEqual([]);
    expect(await state.episodes.overdue(3000, 10)).toEqual([record.id]);
    await state.episodes.transition(1, {
      next: record,
      messages: [],
      effect: { kind: "deployed", arena, wants: "shop@shop" },
    });
    const { allDone } = await state.episodes.transition(2, {
      next: { ...record, state: "done", arena: null },
      messages: [],
      effect: { kind: "release", arena },
    });
    expect(allDone).toBe(true);
    await state.episodes.checkAgain(record.id, 1000);
    expect(await state.episodes.overdue(2000, 10)).toEqual([]);
    const again = await state.arenas.leaseNext({ claimMs: 60_000 });
    expect(again).toMatchObject({ experimentId: "two", cluster: "c1", slot: 0, fence: arena.fence + 1 });
    expect(await state.arenas.list()).toMatchObject([{ deployed: "shop@shop", episode: "two.0000" }]);
    // The first holder, waking up late, can no longer give away what is not its own.
    await state.episodes.transition(3, {
      next: { ...record, state: "done" },
      messages: [],
      effect: { kind: "release", arena },
    });
    expect(await state.arenas.list()).toMatchObject([{ episode: "two.0000" }]);
  });

  test("a raised fence excludes the stage that holds the old one; a foreign lease is refused", async () => {
    await using tested = await create();
    const { state } = tested;
    await state.arenas.register([{ name: "c1", arenas: 1 }]);
    await createExperiment(state, { id: "one" });
    const { record, arena } = await leased(state);
    const raised = { ...arena, fence: arena.fence + 1 };
    const step = {
      next: { ...record, arena: raised },
      messages: [],
      effect: { kind: "refence", arena: raised },
    } as const;
    await state.episodes.transition(1, step);
    expect(await state.arenas.currentFence(arena)).toBe(arena.fence + 1);
    await expect(state.episodes.transition(2, step)).rejects.toMatchObject({ code: "stale-lease" });
  });

  test("an arena that is not registered any more ends with its lease, and keeps its fence", async () => {
    await using tested = await create();
    const { state } = tested;
    await state.arenas.register([{ name: "c1", arenas: 1 }]);
    await createExperiment(state, { id: "one", episodes: 2, maxParallel: 2 });
    const { record, arena } = await leased(state);
    await state.arenas.register([{ name: "c2", arenas: 1 }]);
    expect(await state.arenas.list()).toMatchObject([{ cluster: "c2", slot: 0 }]);
    expect(await state.arenas.clustersInUse()).toEqual(new Set(["c1", "c2"]));
    expect(await state.arenas.get(arena)).toMatchObject({ known: false, episode: record.id });
    const effect = { kind: "release", arena } as const;
    await state.episodes.transition(1, { next: { ...record, state: "done" }, messages: [], effect });
    expect(await state.arenas.clustersInUse()).toEqual(new Set(["c2"]));
    await state.arenas.register([{ name: "c1", arenas: 1 }]);
    expect(await leaseOne(state)).toMatchObject({ cluster: "c1", fence: arena.fence + 1 });
    expect(await state.arenas.currentFence({ cluster: "c3", slot: 4 })).toBe(0);
    expect(await state.arenas.get({ cluster: "c3", slot: 4 })).toEqual({
      cluster: "c3",
      slot: 4,
      fence: 0,
      episode: null,
      deployed: null,
      quarantined: null,
      quarantinedAt: null,
      known: false,
    });
  });
}
