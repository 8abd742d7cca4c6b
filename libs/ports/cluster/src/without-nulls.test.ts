import { deepFrozen } from "@microremed/core";
import { expect, test } from "vitest";
import { withoutNulls } from "./without-nulls.ts";

test("fields that are null are left out at every depth, and all else is kept", () => {
  const slice = {
    metadata: { name: "cart-1", creationTimestamp: null, labels: { a: "" } },
    endpoints: null,
    ports: [{ name: null, port: 80 }],
    values: [null, 0, false],
  };
  const expected = {
    metadata: { name: "cart-1", labels: { a: "" } },
    ports: [{ port: 80 }],
    values: [null, 0, false],
  };
  expect(withoutNulls(slice)).toEqual(expected);
  expect(withoutNulls(slice)).not.toHaveProperty("endpoints");
  expect(slice.endpoints).toBeNull();
});

test("what has no nulls is returned itself", () => {
  const pod = { metadata: { name: "cart" }, spec: { containers: [{ name: "server" }] } };
  expect(withoutNulls(pod)).toBe(pod);
  expect(withoutNulls(null)).toBeNull();
  expect(withoutNulls("text")).toBe("text");
});

test("what is left of a frozen object is frozen, so that what is computed from it is kept", () => {
  const frozen = deepFrozen({ spec: { template: { metadata: { creationTimestamp: null, name: "a" } } } });
  const left = withoutNulls(frozen);
  expect(left).toEqual({ spec: { template: { metadata: { name: "a" } } } });
  expect(Object.isFrozen(left.spec.template.metadata)).toBe(true);
  expect(withoutNulls(frozen)).toBe(left);
  expect(Object.isFrozen(withoutNulls({ a: null, b: 1 }))).toBe(false);
});
