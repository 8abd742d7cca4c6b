import { expect, test } from "vitest";
import { namePattern } from "./name-pattern.ts";

test("a pattern of a Corefile is RE2, and is asked about names in lower case", () => {
  expect(namePattern("(?i)^(?P<name>CART)\\.(\\d)?").groupsIn("Cart.shop.svc.")).toEqual([
    "cart.",
    "cart",
    "",
  ]);
  expect(namePattern("^Cart").groupsIn("Cart.shop.svc.")).toBeUndefined();
  expect(namePattern("\\\\1").groupsIn("a\\1")).toEqual(["\\1"]);
  for (const perl of ["(?=a)", "(?!a)", "(?<=a)b", "(?<!a)b", "(a)\\1", "(?<n>a)\\k<n>"])
    expect(() => namePattern(perl), perl).toThrow("error parsing regexp");
  expect(() => namePattern("(")).toThrow("missing closing )");
  expect(() => namePattern("a".repeat(1_001))).toThrow("longer than 1000 characters");
  expect(() => namePattern("(((a{100}){100}){100}){100}")).toThrow("error parsing regexp");
});

test.each(["^(a+)+$", "(?i)^(A+)+$", "^(a|a)*$", "^(a*)*b?c$"])("%s takes linear time", (pattern) => {
  // A matcher that backtracks would take 2^4000 steps.
  expect(namePattern(pattern).groupsIn(`${"a".repeat(4_000)}d`)).toBeUndefined();
});
