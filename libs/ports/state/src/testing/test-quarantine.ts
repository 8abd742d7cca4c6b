import { expect, test } from "vitest";
import { createExperiment, leased } from "./builders.ts";
import type { CreateState } from "./state-under-test.ts";

export function testQuarantine(create: CreateState): void {
  test("a quarantined arena is not leased until it is readmitted", async () => {
    await using tested = await create();
    const { state } = tested;
    await state.arenas.register([{ name: "c1", arenas: 1 }]);
    await createExperiment(state, { id: "one" });
    await createExperiment(state, { id: "two" });
    const { record, arena } = await leased(state);
    const effect = { kind: "deployed", arena, wants: "shop@shop" } as const;
    await state.episodes.transition(1, { next: record, messages: [], effect });
    await state.episodes.transition(2, {
      next: { ...record, state: "done" },
      messages: [],
      effect: { kind: "quarantine", arena, reason: "could not be restored" },
    });
    await state.arenas.register([{ name: "c1", arenas: 1 }]);
    expect(await state.arenas.leaseNext({ claimMs: 1 })).toBeUndefined();
    const [quarantined] = await state.arenas.list();
    expect(quarantined).toMatchObject({ quarantined: "could not be restored", episode: null });
    expect((quarantined?.quarantinedAt ?? 1) % 1000).toBe(0);
    expect(await state.arenas.readmit(arena)).toBe(true);
    // What is deployed there is not trusted any more.
    expect(await state.arenas.list()).toMatchObject([{ quarantined: null, deployed: null }]);
    expect(await state.arenas.leaseNext({ claimMs: 1 })).toMatchObject({ experimentId: "two" });
    // Another scheduler that was about to does not free the arena of who has it now.
    expect(await state.arenas.readmit(arena)).toBe(false);
    expect(await state.arenas.leaseNext({ claimMs: 1 })).toBeUndefined();
  });

  test("a cluster that is blamed enough without anything going well is not leased until it is released", async () => {
    await using tested = await create();
    const { state } = tested;
    await state.arenas.register([
      { name: "c1", arenas: 1 },
      { name: "c2", arenas: 1 },
    ]);
    await createExperiment(state, { id: "one", episodes: 3, maxParallel: 3 });
    const why = { reason: "silent", since: 1, until: 1 };
    const blame = (key: string) => state.clusters.blame({ cluster: "c1", key, weight: 3 }, 6, why);
    expect(await blame("a")).toBe(false);
    expect(await blame("a")).toBe(false);
    expect(await state.clusters.suspected()).toEqual(["c1"]);
    await state.clusters.clear("c1");
    expect(await blame("b")).toBe(false);
    expect(await blame("c")).toBe(true);
    expect(await blame("d")).toBe(false);
    expect(await state.clusters.quarantined()).toEqual(new Map([["c1", why]]));
    expect(await state.arenas.leaseNext({ claimMs: 60_000 })).toMatchObject({ cluster: "c2" });
    expect(await state.arenas.leaseNext({ claimMs: 60_000 })).toBeUndefined();
    expect(await state.clusters.release("c1")).toBe(true);
    expect(await state.clusters.release("c1")).toBe(false);
    expect(await state.arenas.leaseNext({ claimMs: 60_000 })).toMatchObject({ cluster: "c1" });
  });

  test("a paused model's episodes are not leased, the other models' and experiments' are", async () => {
    await using tested = await create();
    const { state } = tested;
    await state.arenas.register([{ name: "c1", arenas: 8 }]);
    await createExperiment(state, { id: "two", model: ["a", "b"], episodes: 4, maxParallel: 8 });
    await createExperiment(state, { id: "one", episodes: 1, maxParallel: 8 });
    const pause = { model: "a", reason: "silent", since: 1, checks: 0, checkAt: 2 };
    const [a, only] = [
      { experimentId: "two", lane: 0 },
      { experimentId: "one", lane: 0 },
    ];
    expect(await state.modelPauses.begin(a, pause)).toBe(true);
    expect(await state.modelPauses.begin(a, { ...pause, reason: "again" })).toBe(false);
    expect(await state.modelPauses.begin(only, pause)).toBe(true);
    await state.modelPauses.update(only, { ...pause, checks: 1 });
    const listed = (await state.modelPauses.list()).toSorted((x, y) => x.pause.checks - y.pause.checks);
    expect(listed).toEqual([
      { ...a, pause },
      { ...only, pause: { ...pause, checks: 1 } },
    ]);
    const lease = async () => (await state.arenas.leaseNext({ claimMs: 60_000 }))?.episodeId;
    expect([await lease(), await lease(), await lease()]).toEqual(["two.0001", "two.0003", undefined]);
    expect(await state.modelPauses.end(a)).toBe(true);
    expect(await state.modelPauses.end(a)).toBe(false);
    expect([await lease(), await lease(), await lease()]).toEqual(["two.0000", "two.0002", undefined]);
    expect(await state.modelPauses.end(only)).toBe(true);
    expect(await lease()).toBe("one.0000");
  });
}
