import { builtInCatalogue } from "@microremed/registry";
import { expect, test } from "vitest";
import { withoutPublishedRule } from "./without-published-rule.ts";

const built = await builtInCatalogue();
const { published: _, ...unpublished } = built.faults.get("cpu-stress");
const get = (name: string) => (name === "cpu-stress" ? unpublished : built.faults.get(name));
const catalogue = { ...built, faults: { ...built.faults, get } };
const environment = built.environments.get("simple-micro");

test("names the faults for which MicroRemed has no check, if its verdict is asked for", () => {
  const failures = ["pod-fail", "cpu-stress", "cpu-stress", "none"];
  const request = { failures, seed: 1, verdict: "microremed" as const };
  expect(withoutPublishedRule(request, environment, catalogue)).toMatch(
    /no check for cpu-stress; use "strict"/,
  );
  expect(withoutPublishedRule({ ...request, verdict: "strict" }, environment, catalogue)).toBeUndefined();
  expect(withoutPublishedRule({ ...request, cases: [0, 3] }, environment, catalogue)).toBeUndefined();
  expect(withoutPublishedRule({ ...request, failures: { random: 3 } }, environment, catalogue)).toMatch(
    /cpu-stress/,
  );
  expect(withoutPublishedRule(request, environment, built)).toBeUndefined();
});
