import { expect, test } from "vitest";
import { beyondBounds } from "./json-bounds.ts";

const bounds = { depth: 3, values: 6, characters: 10 };
const nested = (depth: number): unknown => JSON.parse("[".repeat(depth) + "]".repeat(depth));

test.each([
  [null, undefined],
  [{ a: [{ b: 1 }] }, undefined],
  [{ a: [{ b: [] }] }, "is nested more than 3 deep"],
  [nested(100_000), "is nested more than 3 deep"],
  [[1, 2, 3, 4, 5], undefined],
  [[1, 2, 3, 4, 5, 6], "has more than 6 values"],
  [{ abcde: "fghij" }, undefined],
  [{ abcde: "fghijk" }, "has more than 10 characters"],
  ["a".repeat(11), "has more than 10 characters"],
])("case %#", (value, problem) => {
  expect(beyondBounds(value, bounds)).toBe(problem);
});
