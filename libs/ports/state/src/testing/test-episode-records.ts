import { expect, test } from "vitest";
import { anEpisode, createExperiment } from "./builders.ts";
import type { CreateState } from "./state-under-test.ts";

export function testEpisodeRecords(create: CreateState): void {
  test("what is remembered of an episode may be old, which its version shows", async () => {
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
}
