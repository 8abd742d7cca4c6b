import { expect, test } from "vitest";
import { comparePaths, reachesField } from "./compare-paths.ts";
import { compareValues, isValue, partOfValue } from "./compare-values.ts";

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
  ["", "none", 1],
  ["not set", "none", 1],
  ["absent", "no such object", 1],
  ["", "8080", 0],
])("the value %j for %j is worth %d", (given, right, worth) => {
  expect(compareValues(given, right)).toBeCloseTo(worth);
});

const strategy = '{"type":"RollingUpdate","rollingUpdate":{"maxUnavailable":"100%","maxSurge":0}}';

test.each([
  ["9999", "9999", "8080", true],
  ["the port is 9999", "9999", "8080", true],
  // Both values, the other one, or several guesses.
  ["9999 8080", "9999", "8080", false],
  ["8080", "9999", "8080", false],
  ["9999, 9998", "9999", "8080", false],
  ["shop:v2", "shop:v2", "shop:v1", true],
  ["shop:v1", "shop:v2", "shop:v1", false],
  ["shop", "shop:v2", "shop:v1", false],
  ["v2 of shop", "shop:v2", "shop:v1", true],
  ["cart:81", "cart:81", "cart:80", true],
  ["cart:81 cart:80", "cart:81", "cart:80", false],
  ["Local", "Local", "Cluster", true],
  ["Local or Cluster", "Local", "Cluster", false],
  ["app=web tier=front", "app=web", "app=shop", true],
  ["app=web app=shop", "app=web", "app=shop", false],
  ["cpu 2m", "cpu 2m, memory 200Mi", "cpu 1000m, memory none", true],
  ["none", "none", "web", true],
])("%j is the value %j, not %j: %s", (given, own, other, expected) => {
  expect(isValue(given, own, other)).toBe(expected);
});

test.each([
  [path, path, true],
  [`${path}.cpu`, path, true],
  ["spec.template.spec.containers[name=server].resources", path, false],
  ["spec.template.spec.containers[name=server]", path, false],
  ["containers[0].resources.limits", path, true],
  ["spec.strategy.rollingUpdate.maxUnavailable", "spec.strategy", true],
  [
    "spec.template.spec.containers[0].env[name=X]",
    "spec.template.spec.containers[name=a].env[name=X].value",
    true,
  ],
  ["spec.template.spec.containers[0].env", "spec.template.spec.containers[name=a].env[name=X].value", false],
  ["", "", true],
])("the path %j reaches the field %s: %s", (given, right, expected) => {
  expect(reachesField(given, right)).toBe(expected);
});

test.each([
  [strategy, ["rollingUpdate", "maxUnavailable"], "100%"],
  [strategy, ["rollingUpdate", "partition"], "none"],
  [strategy, [], strategy],
  ["cpu 2m, memory 200Mi", ["cpu"], "2m"],
  ['[{"name":"a","port":1},{"name":"b","port":2}]', ["[b]", "port"], "2"],
  ["shop:v2", ["tag"], "shop:v2"],
])("%s has at %j the value %j", (value, steps, expected) => {
  expect(partOfValue(value, steps)).toBe(expected);
});
