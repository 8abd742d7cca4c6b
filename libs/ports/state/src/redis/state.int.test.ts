import { setTimeout as delay } from "node:timers/promises";
import { silentLogger } from "@microremed/core";
import { startRedisServer } from "@microremed/servers";
import { afterAll, expect, test } from "vitest";
import { claimedNames, createExperiment } from "../testing/builders.ts";
import { testState } from "../testing/index.ts";
import { connectRedisState } from "./connect-redis-state.ts";

const server = await startRedisServer({ password: "secret" });
afterAll(() => server[Symbol.asyncDispose]());
let spaces = 0;

testState("Redis", async () => {
  const prefix = `t${spaces++}:`;
  const another = () => connectRedisState({ url: server.url, prefix, log: silentLogger });
  const state = await another();
  return {
    state,
    another,
    pass: (ms) => delay(ms),
    [Symbol.asyncDispose]: () => state[Symbol.asyncDispose](),
  };
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
