import { expect, test } from "vitest";
import { overlap, takes } from "./filters.ts";

test.each([
  ["a.b", "a.b", true],
  ["a.b", "a.c", false],
  ["a.*", "a.b", true],
  ["a.*", "a.b.c", false],
  ["a.*", "a", false],
  ["a.>", "a.b.c", true],
  ["a.>", "a", false],
  ["*.b", "a.b", true],
  [">", "a.b", true],
])("%s takes %s: %s", (filter, subject, expected) => {
  expect(takes(filter, subject)).toBe(expected);
});

test.each([
  ["a.b", "a.b", true],
  ["a.*", "*.b", true],
  ["a.*", "b.*", false],
  ["a.>", "a.b.c", true],
  ["a.>", "a", false],
  ["a.*", "a.b.c", false],
  [">", "a", true],
])("%s and %s overlap: %s", (a, b, expected) => {
  expect([overlap(a, b), overlap(b, a)]).toEqual([expected, expected]);
});
