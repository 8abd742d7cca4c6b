import { afterEach, expect, test, vi } from "vitest";
import { restingTests } from "./resting-tests.ts";
import { longFiles } from "./vitest-sequencer.ts";

afterEach(() => vi.unstubAllEnvs());

test("a run of everything takes a sixth of the long tests, and others leave out none", () => {
  const resting = restingTests(["run", "--project", "unit", "--project", "integration"]);
  const able = longFiles.filter((file) => !/\.(acceptance|real)\.test\.ts$/.test(file));
  expect(resting.length).toBeLessThanOrEqual(Math.ceil((able.length * 5) / 6));
  expect(able).toEqual(expect.arrayContaining(resting));
  expect(restingTests(["run", "libs/surface/cli/src/resume.int.test.ts"])).toEqual([]);
  expect(restingTests(["run", "--root", "../../..", "libs/sim/"])).toEqual([]);
  vi.stubEnv("WHOLE_PROOF", "true");
  expect(restingTests(["run"])).toEqual([]);
});
