import type { KubeObject } from "@microremed/cluster";
import { expect, test } from "vitest";
import { describeDifference, differenceOf, isEmpty } from "./difference.ts";
import { normalise } from "./normalise.ts";

const configMap = (name: string, data: Record<string, string>, going = false): KubeObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, uid: `uid-${name}`, ...(going && { deletionTimestamp: "2026-01-01T00:00:00Z" }) },
  data,
});
const record = [configMap("a", { x: "1" }), configMap("b", {})].map(normalise);

test("an arena as recorded has no difference", () => {
  expect(isEmpty(differenceOf(record, [configMap("b", {}), configMap("a", { x: "1" })]))).toBe(true);
});

test("finds what is extra, missing and changed, and names it", () => {
  const difference = differenceOf(record, [configMap("a", { x: "2" }), configMap("c", {})]);
  expect(describeDifference(difference)).toBe(
    "extra ConfigMap/c, missing ConfigMap/b, changed ConfigMap/a (data.x: 1 -> 2)",
  );
});

test("parts of a list in another order are a difference, which is named", () => {
  const ordered = (...names: string[]): KubeObject => ({
    ...configMap("a", {}),
    list: names.map((name) => ({ name })),
  });
  const difference = differenceOf([normalise(ordered("x", "y"))], [ordered("y", "x")]);
  expect(describeDifference(difference)).toMatch(/^changed ConfigMap\/a \(only the order of a list/);
});

test("the words name the fields of a Secret, not what it holds", () => {
  const secret = (password: string): KubeObject => ({ ...configMap("a", { password }), kind: "Secret" });
  const difference = differenceOf([normalise(secret("old"))], [secret("new")]);
  expect(describeDifference(difference)).toBe("changed Secret/a (data.password)");
});

test("an object that is on its way out must go, even if it is as recorded", () => {
  const difference = differenceOf(record, [configMap("a", { x: "1" }, true), configMap("b", {})]);
  expect(describeDifference(difference)).toBe("extra ConfigMap/a");
});
