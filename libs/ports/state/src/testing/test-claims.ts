import { expect, test } from "vitest";
import { createExperiment, leased } from "./builders.ts";
import type { CreateState } from "./state-under-test.ts";

export function testClaims(create: CreateState): void {
  test("the first result of a stage stays", async () => {
    await using tested = await create();
    const { state } = tested;
    const key = {
      experimentId: "one",
      episodeId: "one.0000",
      trial: 1,
      attempt: 0,
      stage: "restore" as const,
    };
    const first = { ...key, body: { status: "ok" as const, how: "reset" as const, damage: null } };
    const claim = { ...key, arena: { cluster: "c1", slot: 0, fence: 0 } };
    expect(await state.claims.isHeld(claim)).toBe(false);
    expect(await state.claims.take(claim, "a", 60_000)).toEqual({ status: "taken" });
    expect(await state.claims.isHeld(claim)).toBe(true);
    expect(await state.results.get(key)).toBeUndefined();
    expect(await state.results.store(first, "a")).toEqual(first);
    expect(
      await state.results.store({ ...key, body: { status: "ok", how: "redeployed", damage: null } }, "a"),
    ).toEqual(first);
    expect(await state.results.get(key)).toEqual(first);
    expect(await state.claims.take(claim, "b", 60_000)).toEqual({ status: "done", result: first });
  });

  test("one process at a time works on a command; a process that lost its claim can neither continue nor store a result", async () => {
    await using tested = await create();
    const { state } = tested;
    const key = {
      experimentId: "one",
      episodeId: "one.0000",
      trial: 1,
      attempt: 0,
      stage: "restore" as const,
    };
    const result = { ...key, body: { status: "ok" as const, how: "reset" as const, damage: null } };
    const claim = { ...key, arena: { cluster: "c1", slot: 0, fence: 0 } };
    expect(await state.claims.take({ ...claim, arena: { ...claim.arena, fence: 7 } }, "a", 60_000)).toEqual({
      status: "stale",
      fence: 0,
    });
    expect(await state.claims.take(claim, "paused", 30_000)).toEqual({ status: "taken" });
    expect(await state.claims.take(claim, "next", 60_000)).toMatchObject({ status: "busy" });
    await tested.pass(30_001);
    expect(await state.claims.take(claim, "next", 60_000)).toEqual({ status: "taken" });
    expect(await state.claims.renew(claim, "paused", 5000)).toBe(false);
    expect(await state.results.store(result, "paused")).toBeUndefined();
    await state.claims.release(claim, "paused");
    expect(await state.claims.renew(claim, "next", 60_000)).toBe(true);
    await state.claims.release(claim, "next");
    expect(await state.claims.take(claim, "third", 5000)).toEqual({ status: "taken" });
  });

  test("a claim is lost with the lease under which it was taken", async () => {
    await using tested = await create();
    const { state } = tested;
    await state.arenas.register([{ name: "c1", arenas: 1 }]);
    await createExperiment(state, { id: "one" });
    const { record, arena } = await leased(state);
    const claim = { episodeId: "one.0000", trial: 1, attempt: 0, stage: "restore" as const, arena };
    expect(await state.claims.take(claim, "a", 60_000)).toEqual({ status: "taken" });
    expect(await state.claims.renew(claim, "a", 60_000)).toBe(true);
    const raised = { ...arena, fence: arena.fence + 1 };
    const effect = { kind: "refence", arena: raised } as const;
    await state.episodes.transition(1, { next: { ...record, arena: raised }, messages: [], effect });
    expect(await state.claims.renew(claim, "a", 60_000)).toBe(false);
    expect(await state.claims.take(claim, "b", 60_000)).toEqual({ status: "stale", fence: raised.fence });
  });
}
