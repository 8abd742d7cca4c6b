import type { PublishedCheck, Round, WriteReading } from "@microremed/catalogue";
import { aPod, aTarget, containersWith } from "@microremed/oracles/testing";
import { expect, test } from "vitest";
import { isCleanRound, pingRounds, podProblems, publishedChecks, writeRate } from "./checks.ts";

/** A round with the given usage of cartservice's main container. */
function aRound(usage: { cpuCores: number; memoryBytes?: number } | undefined, state = aTarget()): Round {
  const sample = { pod: "cartservice-1", container: "server", at: 0, windowMs: 1, memoryBytes: 1, ...usage };
  const samples = usage ? [{ ...sample, cpuCores: usage.cpuCores }] : [];
  return { state, samples: async () => samples } as unknown as Round;
}

const check = async (name: PublishedCheck, round: Round) => (await publishedChecks[name](round)).passed;

test("less than half of the limit passes, half does not", async () => {
  expect(await check("cpu", aRound({ cpuCores: 0.149 }))).toBe(true);
  expect(await check("cpu", aRound({ cpuCores: 0.15 }))).toBe(false);
  expect(await check("memory", aRound({ cpuCores: 0, memoryBytes: 1001 * 2 ** 20 }))).toBe(false);
});

test("its known leaks: a removed limit, a raised one and a sidecar's name pass", async () => {
  const unlimited = aTarget({ pods: [aPod({ containers: containersWith({ resources: {} }) })] });
  expect(await check("cpu", aRound({ cpuCores: 8 }, unlimited))).toBe(true);
  expect(await check("resources", aRound({ cpuCores: 8, memoryBytes: 9e9 }, unlimited))).toBe(true);
  const raised = containersWith({ resources: { limits: { cpu: "20" } } });
  expect(await check("cpu", aRound({ cpuCores: 8 }, aTarget({ pods: [aPod({ containers: raised })] })))).toBe(
    true,
  );
  const renamed = aPod({ containers: containersWith({ name: "my-sidecar" }) });
  expect(await check("cpu", aRound({ cpuCores: 8 }, aTarget({ pods: [renamed] })))).toBe(true);
});

test("a pod without metrics passes the CPU check and fails the memory check", async () => {
  expect(await check("cpu", aRound(undefined))).toBe(true);
  expect(await check("memory", aRound(undefined))).toBe(false);
});

test("every pod must be Running and Ready, and there must be one", () => {
  expect(podProblems(aTarget())).toEqual([]);
  expect(podProblems(aTarget({ pods: [aPod(), aPod({ name: "b", ready: false })] }))).toHaveLength(1);
  expect(podProblems(aTarget({ pods: [aPod({ terminating: true })] }))).toHaveLength(1);
  expect(podProblems(aTarget({ pods: [] }))).toHaveLength(1);
});

test("under 50 % loss doing nothing passes one time in four", () => {
  let passed = 0;
  for (let bits = 0; bits < 2 ** 9; bits++) {
    const echoes = Array.from({ length: 9 }, (_, i) => ((bits >> i) & 1 ? 0.5 : null));
    if (pingRounds(echoes).some(isCleanRound)) passed++;
  }
  // 23.4 % with two rounds, 33.0 % with three: the third is only reached when no round had to wait for its last echo.
  expect(passed / 2 ** 9).toBeCloseTo(0.252, 3);
});

test("a mean of exactly 1000 ms passes, more does not, and a lost echo never", () => {
  expect(isCleanRound([1000, 1000, 1000])).toBe(true);
  expect(isCleanRound([1000, 1000, 1001])).toBe(false);
  expect(isCleanRound([1, null, 1])).toBe(false);
});

test("ten slow writes fail; a dd that cannot open its file is infinitely quick", () => {
  const reading: WriteReading = {
    pod: "a",
    mounted: true,
    seconds: Array(12).fill(0.008),
    exitCode: 0,
    error: "",
  };
  expect(writeRate(reading)).toBeCloseTo((10 * 2 ** 20) / 0.08, -3);
  expect(writeRate({ ...reading, seconds: [0.01, 5] })).toBe(0);
  expect(writeRate({ ...reading, exitCode: 1, seconds: [], error: "can't open" })).toBe(
    Number.POSITIVE_INFINITY,
  );
  expect(writeRate({ ...reading, exitCode: null, seconds: [] })).toBeNull();
});
