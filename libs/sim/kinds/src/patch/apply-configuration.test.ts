import type { KubeObject, NewObject } from "@microremed/sim-objects";
import { expect, test } from "vitest";
import { applyConfiguration } from "./apply-configuration.ts";
import { builtInRules } from "./merge-rules.ts";

const configMap = (data: object): NewObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "c" },
  data,
});
const options = {
  manager: "one",
  force: false,
  now: 0,
  subresource: undefined,
  rules: builtInRules("ConfigMap"),
};
const stored = (object: NewObject) => object as KubeObject;

test("removes what its manager no longer applies and leaves what others set", () => {
  const first = stored(applyConfiguration(undefined, configMap({ a: "1", b: "2" }), options));
  const edited = { ...first, data: { ...(first["data"] as object), other: "x" } } as KubeObject;
  const second = applyConfiguration(edited, configMap({ a: "1" }), options);
  expect(second["data"]).toEqual({ a: "1", other: "x" });
});

test("removes a whole list element", () => {
  const deployment = (...names: string[]): NewObject => ({
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "d" },
    spec: {
      template: { spec: { containers: [{ name: "c", env: names.map((name) => ({ name, value: "1" })) }] } },
    },
  });
  const how = { ...options, rules: builtInRules("Deployment") };
  const first = stored(applyConfiguration(undefined, deployment("A", "B"), how));
  const second = applyConfiguration(first, deployment("A"), how);
  expect(second.spec.template.spec.containers[0].env).toEqual([{ name: "A", value: "1" }]);
});

test("refuses to change another applier's field unless forced", () => {
  const first = stored(applyConfiguration(undefined, configMap({ a: "1" }), options));
  const other = { ...options, manager: "two" };
  expect(() => applyConfiguration(first, configMap({ a: "2" }), other)).toThrow(
    'Apply failed with 1 conflict: conflict with "one": .data.a',
  );
  expect(applyConfiguration(first, configMap({ a: "2" }), { ...other, force: true })["data"]).toEqual({
    a: "2",
  });
});

test("changes nothing when the same configuration comes again later", () => {
  const first = stored(applyConfiguration(undefined, configMap({ a: "1" }), options));
  expect(applyConfiguration(first, configMap({ a: "1" }), { ...options, now: 60_000 })).toEqual(first);
});
