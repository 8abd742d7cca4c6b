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

  test("what is remembered of an episode may be old, which its version tells", async () => {
    await using tested = await create();
    const { state } = tested;
    await using other = await tested.another();
    await createExperiment(state, { id: "exp", episodes: 3 });
    expect(state.episodes.latest("exp.0000")).toBeUndefined();
    const record = await state.episodes.get("exp.0000");
    if (!record) throw new Error("no episode");
    expect(state.episodes.latest("exp.0000")).toBe(record);
    expect(state.experiments.latest("exp")).toMatchObject({ id: "exp", episodes: 3 });
    await other.episodes.transition(0, { next: { ...record, attempt: 1 }, messages: [] });
    expect(other.episodes.latest("exp.0000")).toMatchObject({ version: 1, attempt: 1 });
    expect(state.episodes.latest("exp.0000")).toBe(record);
    await expect(state.episodes.transition(0, { next: record, messages: [] })).rejects.toMatchObject({
      code: "version-conflict",
    });
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
    const step = { next, messages: [aMessage("never")], effect, lookAt: 1 };
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

  test("what a caller changes in a record that it read or wrote changes nothing that is stored", async () => {
    await using tested = await create();
    const { state } = tested;
    await using other = await tested.another();
    await createExperiment(state, { id: "exp" });
    const next = { ...anEpisode("exp", 0), reason: "first" };
    await state.episodes.transition(0, { next, messages: [] });
    next.reason = "changed after it was written";
    const read = await state.episodes.get("exp.0000");
    if (read) read.target = "changed after it was read";
    expect(await other.episodes.get("exp.0000")).toMatchObject({ reason: "first", target: "cartservice" });
  });

  test("a stored record that is not one is reported with its name, and never handed out", async () => {
    await using tested = await create();
    const { state } = tested;
    await using other = await tested.another();
    await createExperiment(state, { id: "exp" });
    const next = { ...anEpisode("exp", 0), trial: 0 };
    await state.episodes.transition(0, { next, messages: [] });
    const failure = { code: "internal", severity: "terminal", message: expect.stringContaining("exp.0000") };
    await expect(other.episodes.get("exp.0000")).rejects.toMatchObject(failure);
  });

  test("those that do not exist are left out of many", async () => {
    await using tested = await create();
    const { state } = tested;
    await createExperiment(state, { id: "exp", episodes: 3 });
    const found = await state.episodes.getMany(["exp.0002", "exp.0009", "exp.0000"]);
    expect(found.map(({ id }) => id)).toEqual(["exp.0002", "exp.0000"]);
    expect(await state.episodes.get("exp.0009")).toBeUndefined();
    expect(await state.episodes.pendingCount("exp")).toBe(3);
    expect(await state.episodes.pendingCount("nobody")).toBe(0);
    expect(await state.episodes.active("nobody")).toEqual([]);
  });

  test("of those that are due the longest overdue are first", async () => {
    await using tested = await create();
    const { state } = tested;
    await createExperiment(state, { id: "exp", episodes: 3 });
    for (const [index, lookAt] of [300, 100, 200].entries()) {
      await state.episodes.transition(0, { next: anEpisode("exp", index), messages: [], lookAt });
    }
    expect(await state.episodes.overdue(250, 10)).toEqual(["exp.0001", "exp.0002"]);
    expect(await state.episodes.overdue(400, 1)).toEqual(["exp.0001"]);
  });
}
