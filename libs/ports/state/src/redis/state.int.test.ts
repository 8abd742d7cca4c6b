import { silentLogger } from "@microremed/core";
import { startRedisServer } from "@microremed/servers";
import { afterAll, expect, test } from "vitest";
import { claimedNames, createExperiment } from "../testing/builders.ts";
import { testState } from "../testing/index.ts";
import { timedRedis } from "../testing/timed-redis.ts";
import { connectRedisState } from "./connect-redis-state.ts";
import { createRedisState } from "./create-redis-state.ts";
import { openRedis } from "./redis-link.ts";

const server = await startRedisServer({ password: "secret" });
afterAll(() => server[Symbol.asyncDispose]());
let spaces = 0;

testState("Redis", async () => {
  const prefix = `t${spaces++}:`;
  let now = 1_700_000_000_000;
  const connect = async () => {
    const link = await openRedis({ url: server.url, log: silentLogger });
    const timed = timedRedis(link, () => now, prefix);
    return { state: await createRedisState(timed.link, prefix), pass: timed.pass };
  };
  const { state, pass } = await connect();
  return {
    state,
    another: async () => (await connect()).state,
    pass: async (ms) => {
      now += ms;
      await pass(ms);
    },
    [Symbol.asyncDispose]: () => state[Symbol.asyncDispose](),
  };
});

test("time is the server's: what was claimed, leased or blocked for a while is free again after it", async () => {
  await using state = await connectRedisState({ url: server.url, prefix: "real:", log: silentLogger });
  await state.arenas.register([{ name: "c1", arenas: 1 }]);
  await createExperiment(state, { id: "one" });
  const [first] = await state.outbox.claim({ limit: 1, claimMs: 50 });
  expect(first).toBeDefined();
  await expect.poll(() => state.outbox.claim({ limit: 1, claimMs: 60_000 })).toEqual([first]);
  await state.arenas.leaseNext({ claimMs: 50 });
  await expect.poll(() => state.arenas.expiring(0)).toMatchObject([{ over: true }]);
  const arena = { cluster: "c1", slot: 0, fence: 1 };
  const claim = { episodeId: "one.0000", trial: 1, attempt: 0, stage: "restore" as const, arena };
  expect(await state.claims.take(claim, "paused", 50)).toEqual({ status: "taken" });
  await expect.poll(() => state.claims.take(claim, "next", 60_000)).toEqual({ status: "taken" });
  for (let call = 0; call < 3; call++) await state.modelCalls.fail("m", undefined);
  await expect.poll(() => state.modelCalls.blockedFor("m"), { timeout: 10_000 }).toMatchObject({ ms: 0 });
});

test("goes on after the server was killed and came back with its files, its scripts forgotten", async () => {
  const first = await startRedisServer({ dir: `${server.dir}/second`, password: "secret" });
  await using state = await connectRedisState({ url: first.url, log: silentLogger });
  await createExperiment(state, { id: "one" });
  const record = await state.episodes.get("one.0000");
  expect(state.episodes.latest("one.0000")).toBe(record);
  await new Promise((resolve) => setTimeout(resolve, 1200));
  process.kill(first.pid, "SIGKILL");
  await expect.poll(() => state.connected).toBe(false);
  // It may come back with less than it had confirmed.
  expect(state.episodes.latest("one.0000")).toBeUndefined();
  expect(state.experiments.latest("one")).toBeUndefined();
  const sizes = state.outbox.size();
  await using _second = await startRedisServer({ dir: first.dir, port: first.port, password: "secret" });
  expect(await sizes).toBe(1);
  expect(await claimedNames(state)).toEqual(["one/started"]);
});
