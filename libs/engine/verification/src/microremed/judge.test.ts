import type { Round } from "@microremed/catalogue";
import { aPod, aTarget } from "@microremed/oracles/testing";
import { builtInCatalogue } from "@microremed/registry";
import { expect, test } from "vitest";
import { createMicroRemedJudge } from "./judge.ts";

const busy = { cpuCores: 0.3, memoryBytes: 1 };
const idle = { cpuCores: 0.01, memoryBytes: 1 };

function checkAt(seconds: number, usage: typeof busy, ready = true): Round {
  const sample = { pod: "cartservice-1", container: "server", at: 0, windowMs: 1, ...usage };
  const state = aTarget({ at: seconds * 1000, pods: [aPod({ ready })] });
  return { state, samples: async () => [sample] } as unknown as Round;
}

const { faults } = await builtInCatalogue();

async function judge(failure: string, rounds: readonly Round[]): Promise<boolean | null> {
  const judge = createMicroRemedJudge(faults.get(failure), 0);
  for (const round of rounds) await judge.check(round);
  return (await judge.verdict())?.recovered ?? null;
}

test("looks first 10 s after the playbook, and one good look is enough", async () => {
  expect(await judge("cpu-stress", [checkAt(5, idle), checkAt(12, busy)])).toBe(false);
  expect(await judge("cpu-stress", [checkAt(12, busy), checkAt(200, idle), checkAt(205, busy)])).toBe(true);
});

test("what passes after the check's own timeout comes too late", async () => {
  const failure = "pod-config-error";
  expect(await judge(failure, [checkAt(11, busy), checkAt(19, idle)])).toBe(true);
  expect(await judge(failure, [checkAt(11, busy), checkAt(40, idle)])).toBe(false);
});

test("its wait for the pods ends without a verdict: a pod that never gets Ready passes", async () => {
  const starved = [10, 100, 299].map((at) => checkAt(at, idle, false));
  expect(await judge("cpu-stress", starved)).toBe(true);
  expect(await judge("pod-fail", starved)).toBe(false);
});

test("a failure that MicroRemed does not have is not judged by its rules", async () => {
  const judge = createMicroRemedJudge({}, 0);
  await judge.check(checkAt(12, busy));
  expect(await judge.verdict()).toBeNull();
});

test("where nothing was seen, nothing passed", async () => {
  expect(await judge("cpu-stress", [])).toBe(false);
});
