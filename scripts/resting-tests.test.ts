import { afterEach, expect, test, vi } from "vitest";
import { restingTests } from "./resting-tests.ts";

afterEach(() => vi.unstubAllEnvs());

test("a run of everything leaves out at most half of the long integration tests, and others leave out none", () => {
  const resting = restingTests(["run", "--project", "unit", "--project", "integration"]);
  expect(resting.length).toBeLessThan(20);
  expect(resting.every((file) => file.endsWith(".int.test.ts"))).toBe(true);
  expect(restingTests(["run", "libs/surface/cli/src/resume.int.test.ts"])).toEqual([]);
  expect(restingTests(["run", "--root", "../../..", "libs/sim/"])).toEqual([]);
  vi.stubEnv("WHOLE_PROOF", "true");
  expect(restingTests(["run"])).toEqual([]);
});
