import { createChaosWorld } from "@microremed/sim-chaos-mesh/testing";
import { expect, test } from "vitest";
import { askHistory } from "./history-service.ts";
import { startMetricsHistory } from "./metrics-history.ts";

function measuredPod(sampleMs?: number) {
  const world = createChaosWorld();
  const physics = { services: () => [] };
  const history = startMetricsHistory({ ...world, physics, sampleMs });
  const usage = world.addPod("cart")?.containers.get("cart")?.usage;
  const use = (cores: number, seconds: number): void => {
    for (let second = 0; second < seconds; second++) {
      if (usage) usage.cpuTotal += cores;
      world.loop.advance(1000);
    }
  };
  const cpu = (ms: number, step: number) => {
    const now = world.loop.now();
    const { series, at } = history.range("shop", now - ms, now, step);
    return { steps: at.length, values: series[0]?.values.map((moment) => moment?.[0] ?? null) };
  };
  return { world, history, use, cpu };
}

test("CPU is the rate between two measurements, averaged over a step", () => {
  const { use, cpu, history, world } = measuredPod();
  use(0.5, 20);
  use(0.2, 20);
  expect(cpu(30_000, 10_000)).toEqual({
    steps: 3,
    values: [0.5, 0.2, 0.2].map((value) => expect.closeTo(value)),
  });
  expect(history.range("other", world.loop.now() - 60_000, world.loop.now(), 60_000).series).toEqual([]);
});

test("measured every second, each second has its own rate", () => {
  const { use, cpu } = measuredPod(1_000);
  use(0.5, 3);
  use(0.2, 3);
  expect(cpu(4_000, 1_000)).toEqual({
    steps: 4,
    values: [0.5, 0.2, 0.2, 0.2].map((value) => expect.closeTo(value)),
  });
});

test.each([5_000, 1_000])("no more than an hour is kept, measured every %i ms", (sampleMs) => {
  const { use, cpu } = measuredPod(sampleMs);
  use(0.1, 3_700);
  const values = cpu(3_700_000, 100_000).values ?? [];
  expect(values).toHaveLength(37);
  expect(values[0]).toBeNull();
  expect(values.at(-1)).toBeCloseTo(0.1);
});

test("numbers that are none, and too many steps, are refused", () => {
  const { history } = measuredPod();
  const ask = (query: string, path = "/api/v1/series") =>
    askHistory({ path, query: new URLSearchParams(query) }, history, 100_000)?.status;
  expect(ask("from=0&to=60000")).toBe(200);
  expect(ask("from=x")).toBe(400);
  expect(ask("from=0&to=1e15&step=1000")).toBe(400);
  expect(ask("", "/")).toBeUndefined();
});
