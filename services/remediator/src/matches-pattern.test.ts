import { expect, test } from "vitest";
import { matchesPattern } from "./matches-pattern.ts";

test("a star matches any characters, also for a slash, and everything else for itself", () => {
  expect(matchesPattern("reference/noop", ["*"])).toBe(true);
  expect(matchesPattern("reference/noop", ["gpt-*", "reference/*"])).toBe(true);
  expect(matchesPattern("gpt-4.1", ["gpt-4.1"])).toBe(true);
  expect(matchesPattern("gpt-4x1", ["gpt-4.1"])).toBe(false);
  expect(matchesPattern("my-gpt-4", ["gpt-*"])).toBe(false);
  expect(matchesPattern("a(b)[c]", ["a(b)[*"])).toBe(true);
});
