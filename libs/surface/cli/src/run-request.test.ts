import { builtInCatalogue } from "@microremed/registry";
import { expect, test } from "vitest";
import { type RunOptions, runRequest } from "./run-request.ts";

const catalogue = await builtInCatalogue();
const options: RunOptions = {
  env: "simple-micro",
  model: ["reference/noop"],
  remediateMethod: ["SoloGen"],
  task: ["mitigation"],
  repeats: 1,
  thinkTime: "counted",
  history: 180,
  report: "oracle",
  feedback: "oracle",
  verdict: "strict",
  concealment: "none",
  persistence: "once",
  policy: "guarded",
  waitInterval: 10,
  injectionTimeout: 30,
  enableStrictRestart: false,
  seed: 1,
  maxAttempts: 2,
  arenas: 1,
  budget: [],
  parameter: [],
};
const requestOf = (more: Partial<RunOptions>) => runRequest({ ...options, ...more }, catalogue);

test("--experiments takes the first cases of a suite, or of a failure's", async () => {
  for (const experimentPath of ["pod-fail", "easy"]) {
    expect(await requestOf({ experimentPath, experiments: 2 })).toMatchObject({
      failures: experimentPath,
      cases: [0, 1],
    });
    expect(await requestOf({ experimentPath })).not.toHaveProperty("cases");
  }
});

test("one failure on one target is one case, unless more are asked for", async () => {
  const one = { failure: "pod-fail", target: "hello-service" };
  expect(await requestOf(one)).toMatchObject({ failures: ["pod-fail"], target: "hello-service" });
  expect(await requestOf({ ...one, experiments: 3 })).toMatchObject({ failures: Array(3).fill("pod-fail") });
});

test("a slip in a name says what there is, and is not taken for a file", async () => {
  await expect(requestOf({ experimentPath: "pod-fial" })).rejects.toThrow(
    /"pod-fial" is no suite, no failure and no file; known: .*pod-fail/,
  );
});
