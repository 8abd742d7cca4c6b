import { expect, test } from "vitest";
import { namePattern } from "./name-pattern.ts";

test("a pattern of a Corefile is RE2", () => {
  expect(namePattern("(?i)^(?P<name>cart)\\.shop\\.").exec("Cart.shop.svc.")?.groups?.["name"]).toBe("Cart");
  expect(namePattern("\\\\1").test("a\\1")).toBe(true);
  for (const perl of ["(?=a)", "(?!a)", "(?<=a)b", "(?<!a)b", "(a)\\1", "(?<n>a)\\k<n>"])
    expect(() => namePattern(perl)).toThrow("unsupported Perl syntax");
  expect(() => namePattern("(")).toThrow("Invalid regular expression");
  expect(() => namePattern("a".repeat(1_001))).toThrow("longer than 1000 characters");
});

test("a pattern that backtracks without end is tried to its end", () => {
  // Backtracking alone would take 2^200 steps.
  expect(namePattern("^(a+)+$").test(`${"a".repeat(200)}b`)).toBe(false);
});
