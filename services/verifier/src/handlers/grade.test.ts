import { builtInCatalogue } from "@microremed/registry";
import { fakeCluster } from "@microremed/verification/testing";
import { expect, test } from "vitest";
import { grade } from "./grade.ts";

const catalogue = await builtInCatalogue();

/** The arena of a stressed cartservice, calm again after so many ms of cluster time. */
function arenaThatCalmsAfter(ms: number, signal?: AbortSignal) {
  const cluster = fakeCluster((now) => ({ cpu: now < ms ? 0.3 : 0.02, chaos: now < ms }));
  const environment = catalogue.environments.get("online-boutique");
  return { cluster, catalogue, namespace: "shop", environment, ...(signal && { signal }) };
}

const command = {
  task: "mitigation",
  answer: null,
  failure: "cpu-stress",
  target: "cartservice",
  baseline: {
    takenAt: 0,
    values: { replicas: 1, cpuUsageCores: 0.02, cpuLimitCores: 0.3, cpuRequestCores: 0.2 },
  },
  injection: {
    injectedAt: 0,
    expiresAt: null,
    verdict: { oracle: "cpu", passed: true, reason: "", measurements: [] },
  },
  remedyAt: null,
  timeoutSeconds: 120,
};

test("judges the command's target by its failure's oracles, with what they measured", async () => {
  const { status, verdict } = await grade(arenaThatCalmsAfter(10_000), command);
  expect({ status, recovered: verdict?.recovered }).toEqual({ status: "ok", recovered: true });
  expect(verdict?.oracles.find(({ oracle }) => oracle === "cpu")?.measurements).not.toHaveLength(0);
});

test("a target that has not recovered is a verdict too", async () => {
  const { status, verdict } = await grade(arenaThatCalmsAfter(Number.POSITIVE_INFINITY), command);
  expect({ status, recovered: verdict?.recovered }).toEqual({ status: "ok", recovered: false });
  expect(verdict?.clusterSeconds).toBeLessThanOrEqual(command.timeoutSeconds);
});

test("a failure that is not in the library is an error, and so is a stop", async () => {
  const arena = arenaThatCalmsAfter(0);
  await expect(grade(arena, { ...command, failure: "gremlins" })).rejects.toMatchObject({
    message: expect.stringContaining("gremlins"),
  });
  const stopped = arenaThatCalmsAfter(0, AbortSignal.abort(new Error("stop")));
  await expect(grade(stopped, command)).rejects.toThrow("stop");
});

test("an answer is graded against what is wrong, and nothing is measured for it", async () => {
  const arena = arenaThatCalmsAfter(Number.POSITIVE_INFINITY);
  const detection = { ...command, task: "detection", answer: { anomaly: true } };
  expect(await grade(arena, detection)).toMatchObject({ grade: { passed: true }, verdict: null });
  const control = { ...detection, failure: "none" };
  expect(await grade(arena, control)).toMatchObject({ grade: { passed: false, score: 0 } });
});
