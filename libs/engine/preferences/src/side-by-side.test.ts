import { expect, test } from "vitest";
import { showPair } from "./show-pair.ts";
import { sideBySide } from "./side-by-side.ts";
import { aPair } from "./testing/a-repair.ts";

test("lines that are the same are at the same height", () => {
  expect(sideBySide("a\nb\nc\nd", "a\nx\nd\ne", 40)).toBe(
    [
      "a                    a",
      "b                  | x",
      "c                  <",
      "d                    d",
      "                   > e",
    ].join("\n"),
  );
});

test("no line is longer than the terminal, and no author is named", () => {
  const long = `${"word ".repeat(60)}\n${"x".repeat(300)}`;
  const pair = aPair("p", { reason: long });
  const shown = showPair({ ...pair, left: { ...pair.left, playbook: long } }, 80);
  expect(Math.max(...shown.split("\n").map(({ length }) => length))).toBeLessThanOrEqual(80);
  expect(shown).not.toContain("model-of");
  expect(shown).not.toContain("SoloGen");
});
