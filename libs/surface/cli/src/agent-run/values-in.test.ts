import { expect, test } from "vitest";
import { valuesIn } from "./values-in.ts";

test("values are counted where they are, and not in texts", () => {
  expect(valuesIn("[0,0,0]")).toBe(3);
  expect(valuesIn('{"a":[{},{}]}')).toBe(6);
  expect(valuesIn('"a, [b], {c: \\"d\\", e}"')).toBe(0);
});
