import { isInjected } from "@microremed/contracts";
import { builtInCatalogue } from "@microremed/registry";
import { expect, test } from "vitest";
import { prepareArena } from "./prepare-arena.ts";
import { arenaOn, openLocalWorld } from "./testing/world.ts";
import { type WindowOptions, watchWindow } from "./watch-window.ts";

const environment = (await builtInCatalogue()).environments.get("simple-micro");
const command = {
  failure: "network-delay",
  target: "time-service",
  concealment: "neutral",
  timeoutSeconds: 20,
} as const;

async function anArena() {
  const world = openLocalWorld(environment);
  const arena = arenaOn(world.cluster, environment);
  await prepareArena(arena, { redeploy: false, timeoutSeconds: 900 });
  const pass = async (window: WindowOptions["window"], change: Partial<WindowOptions> = {}) => {
    const body = await watchWindow(arena, { ...command, ...change, window });
    if (body.status !== "ok") return body;
    const { from, to, paceMs } = body.window ?? { from: Number.NaN, to: Number.NaN };
    return {
      ...body,
      paceMs,
      from,
      seconds: (to - from) / 1000,
      endedAt: await world.cluster.clock.now(),
      to,
    };
  };
  return { pass, arena, cluster: world.cluster, [Symbol.dispose]: () => world[Symbol.dispose]() };
}

test("windows take as long with a fault as without one, and the fault comes when the command says", async () => {
  using arena = await anArena();
  const first = await arena.pass({ seconds: 60, faultAfter: null }, { historySeconds: 120 });
  if (first.status !== "ok") throw new Error(first.reason);
  const { baseline, injection } = first;
  expect(isInjected(injection)).toBe(false);
  expect(first.from - baseline.takenAt).toBeGreaterThanOrEqual(120_000);
  expect(first).toMatchObject({ seconds: 60, endedAt: first.to, historyFrom: first.from - 120_000 });

  const faulty = { seconds: 60, faultAfter: 15, before: { baseline, injection } };
  const second = await arena.pass(faulty);
  if (second.status !== "ok") throw new Error(second.reason);
  expect(isInjected(second.injection)).toBe(true);
  expect(second).toMatchObject({ seconds: 60, endedAt: second.to, baseline });
  expect((second.injection.injectedAt - second.from) / 1000).toBeGreaterThanOrEqual(15);
  expect((second.injection.injectedAt - second.from) / 1000).toBeLessThan(35);

  // A second delivery of the command begins the window again, without the fault.
  const again = await arena.pass(faulty);
  if (again.status !== "ok") throw new Error(again.reason);
  expect(again.from).toBeGreaterThanOrEqual(second.to);
  expect(again.injection.injectedAt - again.from).toBeGreaterThanOrEqual(15_000);

  const third = await arena.pass({
    seconds: 60,
    faultAfter: null,
    before: { baseline, injection: again.injection },
  });
  expect(third).toMatchObject({ status: "ok", injection: again.injection, seconds: 60 });
});

test("who waits for windows by a clock of its own does not see in which one a fault was proven", async () => {
  using world = await anArena();
  const { arena, pass, cluster } = world;
  let now = 0;
  const wall: WindowOptions["wall"] = {
    now: async () => now,
    sleep: async (ms) => {
      now += ms;
    },
  };
  // Every list is some work: a proof takes many.
  const list: typeof cluster.list = (...of) => {
    now += 100;
    return cluster.list(...of);
  };
  Object.assign(arena, { cluster: { ...cluster, list } });
  const first = await pass({ seconds: 60, faultAfter: null }, { wall });
  if (first.status !== "ok") throw new Error(first.reason);
  const { paceMs, baseline, injection } = first;
  const took = async (faultAfter: number | null, more: object): Promise<number> => {
    const before = { baseline, injection };
    const at = now;
    const passed = await pass({ seconds: 60, faultAfter, before, ...more }, { wall });
    expect(passed.status).toBe("ok");
    return now - at;
  };
  expect(paceMs).toBeGreaterThan(1_000);
  expect([await took(null, { paceMs }), await took(15, { paceMs })]).toEqual([paceMs, paceMs]);
  // Without a pace they differ.
  expect(await took(15, { paceMs: 0 })).toBeGreaterThan(await took(null, { paceMs: 0 }));
});

test("a fault that was not proven by its window's end had no effect: a longer window would give it away", async () => {
  using arena = await anArena();
  const late = await arena.pass({ seconds: 1, faultAfter: 1 });
  expect(late).toMatchObject({
    status: "no-effect",
    reason: expect.stringContaining("make the windows longer"),
  });
});
