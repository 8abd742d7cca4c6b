import { expect, test } from "vitest";
import { retention } from "../retention.ts";
import type { State } from "../state.ts";
import { anEpisode, createExperiment, leaseOne } from "../testing/builders.ts";
import { testState } from "../testing/index.ts";
import { createMemoryState } from "./create-memory-state.ts";

/** A state whose time goes on when the test says so. */
function createTimed() {
  let now = 1_700_000_000_000;
  const state = createMemoryState({ now: () => now });
  return {
    state,
    another: async () => state.connect(),
    pass: async (ms: number) => {
      now += ms;
    },
    [Symbol.asyncDispose]: () => state[Symbol.asyncDispose](),
  };
}

testState("memory", async () => createTimed());

test("a connection that was closed reaches nothing, and the others go on", async () => {
  const state = createMemoryState();
  await using other = state.connect();
  expect(state.connected).toBe(true);
  await createExperiment(state, { id: "one" });
  await state[Symbol.asyncDispose]();
  expect(state.connected).toBe(false);
  await expect(state.outbox.size()).rejects.toMatchObject({
    code: "state-unreachable",
    severity: "retryable",
  });
  expect(await other.outbox.size()).toBe(1);
});

test("what is over is kept for its time, and what is not over for ever", async () => {
  const { state, pass } = createTimed();
  const key = { episodeId: "one.0000", trial: 1 };
  await state.conversations.append(key, 0, [{ role: "user", content: "a" }]);
  await createExperiment(state, { id: "one" });
  await createExperiment(state, { id: "two" });
  await state.episodes.transition(0, { next: { ...anEpisode("one", 0), state: "done" }, messages: [] });
  const record = (await state.experiments.get("one"))?.record;
  if (!record) throw new Error("no experiment");
  expect(await state.experiments.finish({ ...record, status: "completed", finishedAt: 2 }, [])).toBe(true);
  await pass(retention.finishedSeconds * 1000);
  expect(await state.experiments.get("one")).toBeDefined();
  expect(await state.conversations.read(key)).toHaveLength(1);
  await pass(1);
  expect(await state.experiments.get("one")).toBeUndefined();
  expect(await state.episodes.get("one.0000")).toBeUndefined();
  expect(await state.conversations.read(key)).toEqual([]);
  expect((await state.experiments.list(10)).map(({ id }) => id)).toEqual(["two"]);
  expect(await state.episodes.get("two.0000")).toBeDefined();
});

test("when it is full nothing is added, and what is there can be read and taken away", async () => {
  const state = createMemoryState({ mostBytes: 1_000 });
  await createExperiment(state, { id: "one" });
  await expect(createExperiment(state, { id: "two" })).rejects.toMatchObject({ code: "state-unreachable" });
  expect(await state.experiments.get("two")).toBeUndefined();
  expect(await state.episodes.get("one.0000")).toBeDefined();
  expect(await state.outbox.claim({ limit: 10, claimMs: 1 })).toHaveLength(1);
});

test("what finished first is forgotten with all that belongs to it when there is too much, and never the latest", async () => {
  const state = createMemoryState({ keptBytes: 200_000, mostBytes: 400_000 });
  const ids = Array.from({ length: 150 }, (_, i) => `exp-${i}`);
  for (const id of ids) {
    await createExperiment(state, { id });
    const lease = await register(state).then(() => leaseOne(state));
    const arena = { cluster: lease.cluster, slot: lease.slot, fence: lease.fence, namespace: "shop" };
    const key = {
      experimentId: id,
      episodeId: lease.episodeId,
      trial: 1,
      attempt: 0,
      stage: "restore",
    } as const;
    await state.conversations.append(key, 0, [{ role: "user", content: "x".repeat(2_000) }]);
    await state.claims.take({ ...key, arena }, "worker", 1_000);
    const body = {
      status: "failed",
      error: { code: "internal", message: "y".repeat(1_000), details: {} },
    } as const;
    expect(await state.results.store({ ...key, body }, "worker")).toBeDefined();
    const next = { ...anEpisode(id, 0), state: "done" as const };
    await state.episodes.transition(0, { next, messages: [], effect: { kind: "release", arena } });
    const record = (await state.experiments.get(id))?.record;
    if (!record) throw new Error("no experiment");
    await state.experiments.finish({ ...record, status: "completed", finishedAt: 2 }, []);
    await state.outbox.delete((await state.outbox.claim({ limit: 10, claimMs: 1 })).map((one) => one.id));
  }
  const known = await Promise.all(ids.map((id) => state.experiments.get(id)));
  const first = known.findIndex((one) => one !== undefined);
  expect(first).toBeGreaterThan(50);
  expect(known.slice(first)).not.toContain(undefined);
  expect((await state.experiments.list(1_000)).map(({ id }) => id)).toEqual(ids.slice(first).toReversed());
  const isKept = async (id: string) => {
    const key = { episodeId: `${id}.0000`, trial: 1, attempt: 0, stage: "restore" } as const;
    return [
      (await state.episodes.get(key.episodeId)) !== undefined,
      (await state.conversations.read(key)).length > 0,
      (await state.results.get({ ...key })) !== undefined,
    ];
  };
  for (const [i, id] of ids.entries()) expect(await isKept(id), id).toEqual(Array(3).fill(i >= first));
});

const register = (state: State) => state.arenas.register([{ name: "c1", arenas: 1 }]);
