import { createRng } from "@microremed/core";
import { expect, test } from "vitest";
import { type Incident, parts } from "./dataset.types.ts";
import { planDataset } from "./plan-dataset.ts";
import { splitIncidents } from "./split-parts.ts";

const pool = (mechanisms: number, services: number): Incident[] =>
  Array.from({ length: mechanisms * services }, (_, index) => ({
    environment: "shop",
    fault: `fault-${index % mechanisms}`,
    target: `service-${Math.floor(index / mechanisms)}`,
    service: `service-${Math.floor(index / mechanisms)}`,
    mechanism: `mechanism-${index % mechanisms}`,
  }));

test("no mechanism and no service is in two parts", () => {
  const { disjoint, incidents } = splitIncidents(pool(6, 9), createRng(1));
  expect(disjoint).toEqual(["mechanism", "target"]);
  for (const of of [({ mechanism }: Incident) => mechanism, ({ service }: Incident) => service]) {
    const found = parts.map((part) => new Set(incidents[part].map(of)));
    for (const [index, own] of found.entries()) {
      expect(own.size).toBeGreaterThan(0);
      for (const other of found.slice(index + 1))
        expect([...own].filter((one) => other.has(one))).toEqual([]);
    }
  }
});

test("with too few mechanisms the parts differ by service alone, with too few of both there is no data set", () => {
  const { disjoint, incidents } = splitIncidents(pool(2, 9), createRng(1));
  expect(disjoint).toEqual(["target"]);
  expect(parts.flatMap((part) => incidents[part])).toHaveLength(18);
  expect(splitIncidents(pool(5, 2), createRng(1)).disjoint).toEqual(["mechanism"]);
  expect(() => splitIncidents(pool(2, 2), createRng(1))).toThrow(/need three targets or three mechanisms/);
});

test("a larger data set begins with the incidents of a smaller one, and another seed has others", () => {
  const recipe = { seed: 3, incidents: 10, several: 0, faultFree: 3, environments: ["shop"] };
  const small = planDataset(recipe, pool(6, 9)).cases;
  const large = planDataset({ ...recipe, incidents: 30 }, pool(6, 9)).cases;
  expect(large.slice(0, 10)).toEqual(small.slice(0, 10));
  expect(planDataset({ ...recipe, seed: 4 }, pool(6, 9)).cases).not.toEqual(small);
  const counts = parts.map((part) => small.slice(0, 10).filter((one) => one.part === part).length);
  expect(counts).toEqual([7, 1, 2]);
  expect(small.slice(10).map(({ incidents }) => incidents.length)).toEqual([0, 0, 0]);
});

test("cases with several faults have different ones on different services, all of their part", () => {
  const recipe = { seed: 3, incidents: 2, several: 20, faultFree: 1, environments: ["shop"] };
  const { cases, disjoint } = planDataset(recipe, pool(12, 12));
  expect(disjoint).toEqual(["mechanism", "target"]);
  const several = cases.slice(3);
  expect(several.map(({ index }) => index)).toEqual(several.map((_, place) => 3 + place));
  expect(new Set(several.map(({ part }) => part))).toEqual(new Set(parts));
  const partOf = new Map<string, string>();
  for (const { part, incidents } of several)
    for (const faults of incidents) {
      expect([2, 3]).toContain(faults.length);
      for (const key of ["fault", "service"] as const)
        expect(new Set(faults.map((one) => one[key])).size).toBe(faults.length);
      expect(faults.map(({ at }) => at)).toEqual(faults.map(({ at }) => at).toSorted((a, b) => a - b));
      for (const { mechanism } of faults) {
        expect(partOf.get(mechanism) ?? part).toBe(part);
        partOf.set(mechanism, part);
      }
    }
  expect(() => planDataset(recipe, pool(1, 12))).toThrow(/no part of the data set has two different faults/);
});
