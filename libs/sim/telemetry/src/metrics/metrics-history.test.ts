import { createChaosWorld } from "@microremed/sim-chaos-mesh/testing";
import { expect, test } from "vitest";
import { askHistory } from "./history-service.ts";
import { startMetricsHistory } from "./metrics-history.ts";

interface Served {
  readonly pod: string;
  readonly rate: number;
  readonly failed?: number;
  readonly latency: { readonly fixed: number; readonly mean: number };
}

/** Pods of `cart` whose requests each call of `serve` says, and what a minute later was stored of the last `steps`. */
function servingPods() {
  const world = createChaosWorld();
  let now: readonly Served[] = [];
  const services = () =>
    now.map(({ pod, rate, failed = 0, latency }) => ({
      ...{ pod, workload: "cart", requestsPerSecond: rate, successRatio: 1 - failed, latency },
    }));
  const history = startMetricsHistory({ ...world, physics: { services } });
  const pods = ["cart-6c7954cc77-bbbbb", "cart-6c7954cc77-ccccc"] as const;
  const serve = (seconds: number, ...served: Served[]): void => {
    now = served;
    world.loop.advance(seconds * 1000);
  };
  const values = (of: "pod" | "workload", ms: number, stepMs = ms) => {
    const to = world.loop.now();
    const { names, series } = history.range("shop", { from: to - ms, to, stepMs }, of);
    return series.map(({ pod, workload, values: steps }) => ({
      name: pod ?? workload,
      steps: steps.map((step) => step && Object.fromEntries(names.map((name, i) => [name, step[i]]))),
    }));
  };
  return { world, pods, serve, values };
}

const quick = { fixed: 5, mean: 5 };
const slow = { fixed: 600, mean: 600 };

test("a pod without requests has no latency, and changes nothing for its workload", () => {
  const { world, pods, serve, values } = servingPods();
  for (const pod of pods) world.addPod(pod);
  const [served, idle] = pods;
  serve(30, { pod: served, rate: 10, failed: 0.2, latency: quick }, { pod: idle, rate: 0, latency: slow });
  const [busy, unused] = values("pod", 30_000);
  expect(busy?.steps[0]).toMatchObject({ requests: 10, latency: 5, latency_p95: 5 });
  expect(busy?.steps[0]?.["errors"]).toBeCloseTo(0.2);
  expect(unused?.steps).toMatchObject([{ requests: 0, errors: null, latency: null, latency_p95: null }]);
  const [workload] = values("workload", 30_000);
  expect(workload).toMatchObject({ name: "cart", steps: [{ requests: 10, latency: 5, latency_p95: 5 }] });
});

test("requests count, wherever and whenever they are served: means by their number, a percentile of them all", () => {
  const { world, pods, serve, values } = servingPods();
  for (const pod of pods) world.addPod(pod);
  const [one, other] = pods;
  serve(30, { pod: one, rate: 30, latency: quick }, { pod: other, rate: 1, failed: 1, latency: slow });
  serve(30, { pod: one, rate: 1, latency: slow }, { pod: other, rate: 0, latency: slow });
  const [first, second] = values("workload", 60_000, 30_000)[0]?.steps ?? [];
  expect(first).toMatchObject({ requests: 31, latency_p95: expect.closeTo(5) });
  expect(first?.["latency"]).toBeCloseTo((30 * 5 + 600) / 31);
  expect(first?.["errors"]).toBeCloseTo(1 / 31);
  expect(second).toMatchObject({ requests: 1, latency: 600, errors: 0 });
  const [all] = values("workload", 60_000)[0]?.steps ?? [];
  expect(all?.["requests"]).toBeCloseTo(16);
  expect(all?.["latency"]).toBeCloseTo((30 * 5 + 600 + 600) / 32);
  // Two in 32 are slow: more than 5 %.
  expect(all?.["latency_p95"]).toBeCloseTo(600);
  expect(values("pod", 60_000)[0]?.steps[0]?.["latency_p95"]).toBeCloseTo(5);
});

test("a workload's memory is that of its pods at once, also while they are replaced", () => {
  const { world, pods, serve, values } = servingPods();
  const [one, other] = pods;
  const use = (pod: string): void => {
    for (const { usage } of world.addPod(pod)?.containers.values() ?? []) usage.memory = 64e6;
  };
  use(one);
  serve(30);
  for (const { uid, name } of world.machine.sandboxes.values())
    if (name === one) world.machine.sandboxes.delete(uid);
  use(other);
  serve(30);
  expect(values("workload", 60_000)).toMatchObject([{ name: "cart", steps: [{ memory: 64e6 }] }]);
  expect(values("pod", 60_000).map(({ steps }) => steps[0]?.["memory"])).toEqual([64e6, 64e6]);
});

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
    const { series, at } = history.range("shop", { from: now - ms, to: now, stepMs: step });
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
  const to = world.loop.now();
  expect(history.range("other", { from: to - 60_000, to, stepMs: 60_000 }).series).toEqual([]);
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
  expect(ask("from=0&to=60000&of=workload")).toBe(200);
  expect(ask("from=0&to=60000&of=node")).toBe(400);
  expect(ask("", "/")).toBeUndefined();
});
