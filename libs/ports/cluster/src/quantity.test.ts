import { expect, test } from "vitest";
import { parseQuantity } from "./quantity.ts";

test("reads Kubernetes quantities", () => {
  expect(parseQuantity("250m")).toBe(0.25);
  expect(parseQuantity("2")).toBe(2);
  expect(parseQuantity("64Mi")).toBe(67108864);
  expect(parseQuantity("1500000n")).toBeCloseTo(0.0015);
  expect(parseQuantity("1e3")).toBe(1000);
  expect(parseQuantity("128974848")).toBe(128974848);
});

test("says undefined for what is no quantity", () => {
  for (const text of [undefined, null, "", "much", "1Zi", "Mi", {}])
    expect(parseQuantity(text)).toBeUndefined();
});
