import { kinds } from "@microremed/cluster";
import { expect, test } from "vitest";
import { defineEnvironment } from "./environment/index.ts";
import {
  type FieldChange,
  fieldText,
  holds,
  isWrong,
  rightValue,
  setField,
  valueAt,
} from "./field-change.ts";
import { aServiceManifest, aWorkloadManifest } from "./testing/some-manifests.ts";

const shop = defineEnvironment({
  manifests: [aServiceManifest("web"), aWorkloadManifest("Deployment", "web", { name: "web" })],
  model: { name: "shop", description: "one program", source: "made up" },
  workload: { entry: "web:80", requestsPerSecond: 1 },
});
const change = (path: string, wrong: unknown): FieldChange => ({
  kind: kinds.deployment,
  name: "web",
  path,
  wrong,
});
const image = change("/spec/template/spec/containers/0/image", "example.org/web:2");

test("right is what the environment's manifest says", () => {
  expect(rightValue(shop, image)).toBe("example.org/web:1");
  expect(rightValue(shop, change("/spec/template/spec/dnsPolicy", "None"))).toBeUndefined();
  expect(rightValue(shop, { ...image, name: "nobody" })).toBeUndefined();
});

test("an item of a list is named where it has a name", () => {
  expect(fieldText(shop, image)).toBe("spec.template.spec.containers[name=web].image");
  const port = { kind: kinds.service, name: "web", path: "/spec/ports/0/targetPort", wrong: 9 };
  expect(fieldText(shop, port)).toBe("spec.ports[0].targetPort");
});

test("a value holds the wrong one with whatever the API server has added, but not with other items", () => {
  const wrongIn = (spec: object, path: string, wrong: unknown) =>
    isWrong({ metadata: { name: "web" }, spec }, { kind: kinds.deployment, path, wrong });
  expect(wrongIn({ a: { b: 1, c: 2 } }, "/spec/a", { b: 1 })).toBe(true);
  expect(wrongIn({ a: { b: 2 } }, "/spec/a", { b: 1 })).toBe(false);
  expect(wrongIn({ a: [1, 2] }, "/spec/a", [1])).toBe(false);
  expect(wrongIn({ selector: { a: "b" } }, "/spec/selector", { a: "b" })).toBe(true);
  expect(wrongIn({ selector: { a: "b", c: "d" } }, "/spec/selector", { a: "b" }), "narrower").toBe(false);
  expect(wrongIn({}, "/spec/a", undefined)).toBe(true);
  expect(wrongIn({ a: 1 }, "/spec/a", undefined)).toBe(false);
});

test("a field is set, or removed where it is", () => {
  const object = { spec: { "a/b": 1 } };
  expect(valueAt(object, "/spec/a~1b")).toBe(1);
  expect(setField(object, "/spec/a~1b", 2)).toEqual([{ op: "add", path: "/spec/a~1b", value: 2 }]);
  expect(setField(object, "/spec/a~1b", undefined)).toEqual([{ op: "remove", path: "/spec/a~1b" }]);
  expect(setField(object, "/spec/c", undefined)).toEqual([]);
});

test("the API server leaves out the empty value of a variable, and what is zero", () => {
  expect(holds([{ name: "PASSWORD" }], [{ name: "PASSWORD", value: "" }])).toBe(true);
  expect(holds([{ name: "PASSWORD", value: "x" }], [{ name: "PASSWORD", value: "" }])).toBe(false);
  expect(holds({}, { replicas: 0 })).toBe(true);
  expect(holds({}, { storageClassName: "" }), "no class is not the default class").toBe(false);
});
