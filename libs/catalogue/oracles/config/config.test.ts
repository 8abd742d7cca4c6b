import { aPod, aTarget, aWorkload, containersWith } from "@microremed/oracles/testing";
import { expect, test } from "vitest";
import { judgeConfig } from "./index.ts";

const baseline = {
  cpuUsageCores: 0.02,
  cpuLimitCores: 0.3,
  cpuRequestCores: 0.2,
  memoryUsageBytes: 75 * 2 ** 20,
  memoryLimitBytes: 2000 * 2 ** 20,
  memoryRequestBytes: 64 * 2 ** 20,
};

const withLimits = (limits: Record<string, string>, podLimits = limits) =>
  aTarget({
    workload: {
      ...aWorkload(),
      spec: { replicas: 1, template: { spec: { containers: containersWith({ resources: { limits } }) } } },
    },
    pods: [aPod({ containers: containersWith({ resources: { limits: podLimits } }) })],
  });

test("the original limits pass, and others that suffice", () => {
  expect(judgeConfig(aTarget(), baseline).passed).toBe(true);
  expect(judgeConfig(withLimits({ cpu: "200m", memory: "200Mi" }), baseline).passed).toBe(true);
});

test("where less than twice the usage was enough before, that is enough, and no less", () => {
  const tight = { ...baseline, memoryLimitBytes: 100 * 2 ** 20 };
  expect(judgeConfig(withLimits({ cpu: "300m", memory: "100Mi" }), tight).passed).toBe(true);
  expect(judgeConfig(withLimits({ cpu: "300m", memory: "99Mi" }), tight).passed).toBe(false);
});

test.each([
  ["the faulty limits", withLimits({ cpu: "2m", memory: "200Mi" })],
  ["limits removed", withLimits({})],
  ["only the CPU limit removed", withLimits({ memory: "2000Mi" })],
  ["a limit below twice the usage", withLimits({ cpu: "200m", memory: "100Mi" })],
  ["a limit below the old request", withLimits({ cpu: "100m", memory: "2000Mi" })],
  [
    "a right template over a wrong pod",
    withLimits({ cpu: "300m", memory: "2000Mi" }, { cpu: "2m", memory: "200Mi" }),
  ],
  ["a deleted deployment", aTarget({ workload: undefined })],
])("%s fail", (_what, state) => {
  expect(judgeConfig(state, baseline).passed).toBe(false);
});

test("where there was no memory limit none is needed, and one that is there must suffice", () => {
  const { memoryLimitBytes: _, ...without } = baseline;
  expect(judgeConfig(withLimits({ cpu: "300m" }), without).passed).toBe(true);
  expect(judgeConfig(withLimits({ cpu: "300m", memory: "200Mi" }), without).passed).toBe(true);
  expect(judgeConfig(withLimits({ cpu: "300m", memory: "100Mi" }), without).passed).toBe(false);
  expect(judgeConfig(withLimits({ memory: "200Mi" }), without).passed).toBe(false);
});
