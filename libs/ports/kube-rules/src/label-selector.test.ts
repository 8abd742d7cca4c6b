import { expect, test } from "vitest";
import { matchesSelector } from "./label-selector.ts";

const labels = { app: "web", tier: "2" };
const having = (operator: string, key: string, values?: readonly string[]) => ({
  matchExpressions: [{ key, operator, ...(values && { values }) }],
});

test.each([
  ["nothing", undefined, false],
  ["an empty selector", {}, true],
  ["equal labels", { matchLabels: { app: "web" } }, true],
  ["another value", { matchLabels: { app: "db" } }, false],
  ["In", having("In", "app", ["db", "web"]), true],
  ["In without the label", having("In", "zone", ["a"]), false],
  ["NotIn without the label", having("NotIn", "zone", ["a"]), true],
  ["NotIn with one of the values", having("NotIn", "app", ["web"]), false],
  ["Exists", having("Exists", "app"), true],
  ["DoesNotExist", having("DoesNotExist", "app"), false],
  ["Gt", having("Gt", "tier", ["1"]), true],
  ["Lt", having("Lt", "tier", ["2"]), false],
  ["an unknown operator", having("Near", "tier", ["2"]), false],
  ["labels and expressions together", { matchLabels: { app: "web" }, ...having("Exists", "zone") }, false],
])("%s", (_what, selector, matches) => {
  expect(matchesSelector(selector, labels)).toBe(matches);
});
