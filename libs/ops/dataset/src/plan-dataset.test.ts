import { builtInCatalogue } from "@microremed/registry";
import { expect, test } from "vitest";
import { parts } from "./dataset.types.ts";
import { incidentPool } from "./incident-pool.ts";
import { planDataset } from "./plan-dataset.ts";

const catalogue = await builtInCatalogue();
const environments = ["online-boutique", "simple-micro"];
const recipe = { seed: 3, incidents: 200, several: 0, faultFree: 0, environments };
const counts = (values: readonly string[]): number[] =>
  [...Map.groupBy(values, (value) => value).values()].map(({ length }) => length);

test("in each part every fault comes as often as any other, and so do its environments", () => {
  const pool = incidentPool("random@1", environments, catalogue);
  const { cases } = planDataset(recipe, pool);
  for (const part of parts) {
    const own = cases.filter((one) => one.part === part).flatMap(({ incidents }) => incidents[0]?.[0] ?? []);
    const ofFaults = counts(own.map(({ fault }) => fault));
    expect(Math.max(...ofFaults) - Math.min(...ofFaults)).toBeLessThanOrEqual(1);
    for (const [, some] of Map.groupBy(own, ({ fault }) => fault)) {
      const ofPlaces = counts(some.map(({ environment }) => environment));
      expect(Math.max(...ofPlaces) - Math.min(...ofPlaces)).toBeLessThanOrEqual(some.length > 1 ? 1 : 0);
    }
  }
});

test("a larger data set begins with the incidents of a smaller one, and another seed has others", () => {
  const pool = incidentPool("random@1", environments, catalogue);
  const small = planDataset({ ...recipe, incidents: 30 }, pool).cases;
  expect(planDataset(recipe, pool).cases.slice(0, 30)).toEqual(small);
  expect(planDataset({ ...recipe, incidents: 30, seed: 4 }, pool).cases).not.toEqual(small);
});

test("incidents have the load of their problem, and healthy cases have such loads too", () => {
  const pool = incidentPool("range@1", environments, catalogue);
  expect(pool.some(({ workload }) => workload !== undefined)).toBe(true);
  const { cases } = planDataset({ ...recipe, incidents: 1, faultFree: 200 }, pool);
  const healthy = cases.filter(({ incidents }) => incidents.length === 0);
  const under = healthy.filter(({ workload }) => workload !== undefined);
  expect(under.length).toBeGreaterThan(0);
  expect(under.length).toBeLessThan(healthy.length);
});

test.each([
  ["radnom@1", /did you mean "random@1"/],
  ["rnage@3", /did you mean "range@3"/],
  ["range", /say which version: "range@1"/],
  ["no such thing at all", /known: "aiopslab@1", /],
])("a suite %s that there is not is answered with what there is", (suite, message) => {
  expect(() => incidentPool(suite, environments, catalogue)).toThrow(message);
});
