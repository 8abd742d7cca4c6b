import { createRng } from "@microremed/core";
import type { TelemetryWindow } from "@microremed/telemetry";
import { expect, test } from "vitest";
import { withSamplingNoise } from "./sampling-noise.ts";
import { serviceTable } from "./service-table.ts";

const steps = 2_000;
const every = (value: number | null): (number | null)[] => Array.from({ length: steps }, () => value);

const valuesOf = (requests: number | null) => ({
  cpu: every(0.25),
  memory: every(64e6),
  requests: every(requests),
  errors: every(requests ? 0.1 : null),
  latency: every(requests ? 20 : null),
  latency_p95: every(requests ? 50 : null),
});

const window = (requests: number | null): TelemetryWindow => ({
  version: 1,
  ...{ namespace: "shop", from: 0, to: steps * 15_000, stepSeconds: 15 },
  at: Array.from({ length: steps }, (_, step) => (step + 1) * 15_000),
  pods: [{ pod: "cart-7d9f8b6c5-abcde", workload: "cart", values: valuesOf(requests) }],
  workloads: [{ workload: "cart", values: valuesOf(requests) }],
  ...{ traces: [], logs: [], left: { pods: 0, traces: 0, lines: 0 }, missing: [] },
});

const mean = (values: readonly (number | null | undefined)[]): number =>
  values.reduce<number>((sum, value) => sum + (value ?? 0), 0) / values.length;

test("counts and latencies vary around the simulation's as those of so many requests do", () => {
  const [pod] = withSamplingNoise(window(2), createRng(1)).pods;
  const { requests = [], errors = [], latency = [], latency_p95 = [], cpu = [] } = pod?.values ?? {};
  expect(mean(requests)).toBeCloseTo(2, 1);
  // Thirty requests a step: the variance of the rate is 2 / 15.
  expect(mean(requests.map((one) => ((one ?? 0) - 2) ** 2))).toBeCloseTo(2 / 15, 1);
  expect(mean(errors)).toBeCloseTo(0.1, 2);
  expect(mean(latency)).toBeGreaterThan(19.5);
  expect(mean(latency)).toBeLessThan(20.5);
  expect(Math.sqrt(mean(latency.map((one) => ((one ?? 0) - 20) ** 2)))).toBeCloseTo(20 / Math.sqrt(30), 0);
  expect(latency_p95.every((slow, step) => (slow ?? 0) >= (latency[step] ?? 0))).toBe(true);
  expect(new Set(cpu)).toEqual(new Set([0.25]));
});

test("steps without a request have no latency; pods that were not measured stay unmeasured", () => {
  const [idle] = withSamplingNoise(window(0), createRng(1)).pods;
  expect(new Set(idle?.values.latency)).toEqual(new Set([null]));
  const [gone] = withSamplingNoise(window(null), createRng(1)).pods;
  expect(new Set(gone?.values.requests)).toEqual(new Set([null]));
});

test("a workload measures what its pods did, with a 95th percentile of its own", () => {
  const exact = window(2);
  const [pod] = exact.pods;
  if (!pod) throw new Error("no pod");
  const slow = { ...valuesOf(1), latency: every(200), latency_p95: every(500) };
  const two = { ...exact, pods: [pod, { pod: "cart-7d9f8b6c5-fghjk", workload: "cart", values: slow }] };
  const together = { ...valuesOf(3), latency: every(80), latency_p95: every(400) };
  const noisy = withSamplingNoise(
    { ...two, workloads: [{ workload: "cart", values: together }] },
    createRng(1),
  );
  const [one, other] = noisy.pods.map(({ values }) => values);
  const cart = noisy.workloads?.[0]?.values;
  for (const step of [0, 1, 2]) {
    const [a = 0, b = 0] = [one?.requests[step] ?? 0, other?.requests[step] ?? 0];
    expect(cart?.requests[step]).toBeCloseTo(a + b, 4);
    const mean = (a * (one?.latency[step] ?? 0) + b * (other?.latency[step] ?? 0)) / (a + b);
    expect(cart?.latency[step]).toBeCloseTo(mean, 2);
  }
  expect(mean(cart?.latency_p95 ?? [])).toBeGreaterThan(380);
  expect(mean(cart?.latency_p95 ?? [])).toBeLessThan(420);
});

test("the table by service has RCAEval's columns, and none for what was never measured", () => {
  const { header, rows } = serviceTable(window(2));
  expect(header).toEqual(
    ["time", "cpu", "mem", "load", "error", "latency", "latency-95"].map((name, index) =>
      index === 0 ? name : `cart_${name}`,
    ),
  );
  expect(rows[1]).toEqual([30, 0.25, 64e6, 2, 0.1, 0.02, 0.05]);
  expect(serviceTable(window(0)).header).toEqual(["time", "cart_cpu", "cart_mem", "cart_load"]);
});
