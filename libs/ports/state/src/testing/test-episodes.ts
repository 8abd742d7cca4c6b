import { expect, test } from "vitest";
import { aMessage, anEpisode, claimedNames, createExperiment } from "./builders.ts";
import type { CreateState } from "./state-under-test.ts";

export function testEpisodes(create: CreateState): void {
  test("of two transitions from one version one wins, and only its messages are sent", async () => {
    await using tested = await create();
    const { state } = tested;
    await createExperiment(state, { id: "exp" });
    await claimedNames(state);
    const next = { ...anEpisode("exp", 0), state: "done" as const, outcome: "cancelled" as const };
    const tries = await Promise.allSettled(
      ["a", "b", "c"].map((name) => state.episodes.transition(0, { next, messages: [aMessage(name)] })),
    );
    expect(tries.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const lost = tries.find(({ status }) => status === "rejected");
    expect(lost).toMatchObject({ reason: { code: "version-conflict", severity: "retryable" } });
    expect(await state.episodes.get("exp.0000")).toMatchObject({ version: 1, state: "done" });
    expect(await claimedNames(state)).toHaveLength(1);
  });

  test("a transition that is refused changes nothing and sends nothing", async () => {
    await using tested = await create();
    const { state } = tested;
    await state.arenas.register([{ name: "c1", arenas: 1 }]);
    await createExperiment(state, { id: "exp" });
    await claimedNames(state);
    const arena = { cluster: "c1", slot: 0, fence: 1, namespace: "shop" };
    const next = { ...anEpisode("exp", 0), state: "leased" as const, arena };
    const effect = { kind: "take", arena, leaseMs: 60_000 } as const;
    const step = { next, messages: [aMessage("never")], effect, checkAt: 1 };
    await expect(state.episodes.transition(0, step)).rejects.toMatchObject({ code: "stale-lease" });
    await expect(state.episodes.transition(7, step)).rejects.toMatchObject({
      message: "episode exp.0000 has version 0, expected 7",
    });
    const unknown = { ...step, next: anEpisode("nobody", 0) };
    await expect(state.episodes.transition(0, unknown)).rejects.toMatchObject({
      message: "episode nobody.0000 has version -1, expected 0",
    });
    expect(await state.episodes.get("exp.0000")).toEqual(anEpisode("exp", 0));
    expect(await state.episodes.pending("exp", 10)).toEqual(["exp.0000"]);
    expect(await state.episodes.overdue(10, 10)).toEqual([]);
    expect(await state.outbox.size()).toBe(1);
  });

  test("of those that are due the longest overdue are first", async () => {
    await using tested = await create();
    const { state } = tested;
    await createExperiment(state, { id: "exp", episodes: 3 });
    for (const [index, checkAt] of [300, 100, 200].entries()) {
      await state.episodes.transition(0, { next: anEpisode("exp", index), messages: [], checkAt });
    }
    expect(await state.episodes.overdue(250, 10)).toEqual(["exp.0001", "exp.0002"]);
    expect(await state.episodes.overdue(400, 1)).toEqual(["exp.0001"]);
  });
}
