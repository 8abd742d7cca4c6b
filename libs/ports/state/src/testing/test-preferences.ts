import { expect, test } from "vitest";
import { anEpisode, createExperiment, leased, leaseOne } from "./builders.ts";
import type { CreateState } from "./state-under-test.ts";

export function testPreferences(create: CreateState): void {
  test("an arena that holds the wanted environment is preferred, then an empty one", async () => {
    await using tested = await create();
    const { state } = tested;
    await state.arenas.register([{ name: "c1", arenas: 3 }]);
    const deploy = async (id: string, wants: string): Promise<void> => {
      await createExperiment(state, { id, wants });
      const { record, arena } = await leased(state);
      const deployed = { kind: "deployed", arena, wants } as const;
      await state.episodes.transition(1, { next: record, messages: [], effect: deployed });
    };
    await deploy("train", "train@train");
    await deploy("shop", "shop@shop");
    for (const [slot, id] of ["train", "shop"].entries()) {
      const record = (await state.episodes.get(`${id}.0000`)) ?? anEpisode(id, 0);
      const arena = { cluster: "c1", slot, fence: 1, namespace: "shop" };
      const next = { ...record, state: "done" as const };
      await state.episodes.transition(record.version, {
        next,
        messages: [],
        effect: { kind: "release", arena },
      });
    }
    await createExperiment(state, { id: "next", episodes: 3, maxParallel: 3 });
    const slots: number[] = [];
    for (let i = 0; i < 3; i++) slots.push((await leaseOne(state)).slot);
    expect(slots).toEqual([1, 2, 0]);
  });

  test("episodes of problems get an arena that holds their own environment", async () => {
    await using tested = await create();
    const { state } = tested;
    await state.arenas.register([{ name: "c1", arenas: 2 }]);
    for (const [slot, wants] of ["shop@", "train@"].entries()) {
      await createExperiment(state, { id: `before-${slot}`, wants });
      const { record, arena } = await leased(state);
      const effect = { kind: "deployed", arena, wants } as const;
      await state.episodes.transition(1, { next: record, messages: [], effect });
    }
    for (const slot of [0, 1]) {
      const record = (await state.episodes.get(`before-${slot}.0000`)) ?? anEpisode(`before-${slot}`, 0);
      const arena = { cluster: "c1", slot, fence: 1, namespace: "shop" };
      const effect = { kind: "release", arena } as const;
      await state.episodes.transition(record.version, {
        next: { ...record, state: "done" },
        messages: [],
        effect,
      });
    }
    await createExperiment(state, {
      id: "several",
      wants: "@",
      environments: ["train", "shop"],
      maxParallel: 2,
    });
    const first = await leaseOne(state);
    const second = await leaseOne(state);
    expect([first, second].map(({ episodeId, slot }) => [episodeId, slot])).toEqual([
      ["several.0000", 1],
      ["several.0001", 0],
    ]);
  });

  test("models with as many arenas take turns by the plan", async () => {
    await using tested = await create();
    const { state } = tested;
    await state.arenas.register([{ name: "c1", arenas: 4 }]);
    await createExperiment(state, { id: "matrix", episodes: 4, model: ["one", "other"], maxParallel: 4 });
    const ids: string[] = [];
    for (let i = 0; i < 4; i++) ids.push((await leaseOne(state)).episodeId);
    expect(ids).toEqual(["matrix.0000", "matrix.0001", "matrix.0002", "matrix.0003"]);
  });
}
