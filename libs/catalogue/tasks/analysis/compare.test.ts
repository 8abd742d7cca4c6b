import { expect, test } from "vitest";
import { comparePaths } from "./compare-paths.ts";
import { compareValues } from "./compare-values.ts";

const path = "spec.template.spec.containers[name=server].resources.limits";

test.each([
  [path, 1],
  ["/spec/template/spec/containers/0/resources/limits", 1],
  [".spec.template.spec.containers[*].resources.limits", 1],
  [`spec.template.spec.containers[?(@.name=='server')].resources.limits`, 1],
  ["spec.template.spec.containers[name=sidecar].resources.limits", 8 / 14],
  [`${path}.cpu`, 14 / 15],
  ["resources.limits", 0],
  ["containers[0].resources.limits", 8 / 11],
  ["spec", 0],
  ["", 0],
])("the path %j is worth %d", (given, worth) => {
  expect(comparePaths(given, path)).toBeCloseTo(worth);
});

test("no field where no field is wrong", () => {
  expect(comparePaths("", "")).toBe(1);
  expect(comparePaths("spec", "")).toBe(0);
});

test.each([
  ["8080", "8080", 1],
  ["8080", "8081", 0],
  ["0.002", "2m", 1],
  ["1024Mi", "1Gi", 1],
  ["cpu=2m", "cpu 2m, memory 200Mi", 2 / 3],
  ["deleted", "none", 1],
  ["The image is shop:v2.", "image shop:v2", 1],
  ["Cart", "cart", 0],
  ["", "none", 0],
  ["", "", 0],
])("the value %j for %j is worth %d", (given, right, worth) => {
  expect(compareValues(given, right)).toBeCloseTo(worth);
});
