import { silentLogger } from "@microremed/core";
import { startRedisServer } from "@microremed/servers";
import { afterAll, expect, test } from "vitest";
import type { State } from "../state.ts";
import { connectRedisState } from "./connect-redis-state.ts";

const redis = await startRedisServer();
afterAll(() => redis[Symbol.asyncDispose]());

/** For how long, ms. */
const blockedFor = async (state: State, model = "m") => (await state.modelCalls.blockedFor(model)).ms;

const connect = (prefix: string) =>
  connectRedisState({ url: redis.url, prefix: `${prefix}:`, log: silentLogger });

test("two replicas keep one limit of requests: a burst of a tenth, then the pace, never more in a minute", async () => {
  await using one = await connect("requests");
  await using other = await connect("requests");
  const limits = { requestsPerMinute: 60 };
  const starts: number[] = [];
  for (let call = 0; call < 120; call++) {
    const wait = await (call % 2 ? one : other).modelCalls.reserve("m", limits, 1);
    starts.push(performance.now() + wait);
  }
  const after = starts.map((ms) => ms - (starts[0] ?? 0));
  expect(after[5]).toBeLessThan(1_000);
  expect(after[6]).toBeGreaterThan(1_000);
  // Every minute, wherever it begins: a call and the sixtieth after it are a minute apart, but for the measuring.
  for (let call = 0; call + 60 < after.length; call++) {
    expect((after[call + 60] ?? 0) - (after[call] ?? 0)).toBeGreaterThan(59_900);
    expect((after[call + 60] ?? 0) - (after[call] ?? 0)).toBeLessThan(66_000);
  }
  expect(await one.modelCalls.reserve("another", limits, 1)).toBe(0);
});

test("tokens are limited too, corrected by what a call really used", async () => {
  await using state = await connect("tokens");
  const limits = { tokensPerMinute: 6_000 };
  const reserve = () => state.modelCalls.reserve("m", limits, 3_000);
  expect(await reserve()).toBe(0);
  expect(await reserve()).toBeGreaterThan(59_000);
  await state.modelCalls.settle("m", limits, -3_000);
  await state.modelCalls.settle("m", limits, -3_000);
  expect(await reserve()).toBeLessThan(1_000);
  await state.modelCalls.settle("m", limits, 3_000);
  expect(await reserve()).toBeGreaterThan(115_000);
});

test("a call larger than the burst is let through when nothing else was", async () => {
  await using state = await connect("large");
  expect(await state.modelCalls.reserve("m", { tokensPerMinute: 1_000 }, 50_000)).toBe(0);
  expect(await state.modelCalls.reserve("m", { tokensPerMinute: 1_000 }, 1)).toBeGreaterThan(1_000_000);
});

test("a pause that a provider asks for holds for all replicas and that model alone", async () => {
  await using one = await connect("pause");
  await using other = await connect("pause");
  await one.modelCalls.fail("m", 20_000);
  expect(await blockedFor(other)).toBeGreaterThan(19_000);
  await other.modelCalls.settle("m", {}, 0);
  expect(await blockedFor(one)).toBeGreaterThan(19_000);
  expect(await blockedFor(one, "n")).toBe(0);
});

test("a provider that fails three times is left alone, tried by one at a time, and trusted after one answer", async () => {
  await using state = await connect("circuit");
  const { modelCalls } = state;
  await modelCalls.fail("m", undefined);
  await modelCalls.fail("m", undefined);
  expect(await blockedFor(state)).toBe(0);
  // Those under way together count once.
  for (let call = 0; call < 8; call++) await modelCalls.fail("m", undefined);
  expect(await blockedFor(state)).toBeGreaterThan(800);
  await expect.poll(() => blockedFor(state), { interval: 20 }).toBe(0);
  expect(await blockedFor(state)).toBeGreaterThan(800);
  await modelCalls.fail("m", undefined);
  expect(await blockedFor(state)).toBeGreaterThan(1_800);
  expect(await modelCalls.blockedFor("m")).toMatchObject({ failing: true });
  await modelCalls.fail("m", 20_000);
  expect(await modelCalls.blockedFor("m")).toMatchObject({ failing: false });
  await modelCalls.settle("m", {}, 0);
  expect(await blockedFor(state)).toBeGreaterThan(19_000);
});
