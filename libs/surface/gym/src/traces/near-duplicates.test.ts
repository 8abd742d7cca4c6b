import { createRng } from "@microremed/core";
import { expect, test } from "vitest";
import { createSeenTexts } from "./near-duplicates.ts";

const words = (seed: number, count: number): string[] => {
  const rng = createRng(seed);
  return Array.from({ length: count }, () => `word${rng.int(500)}`);
};

test("the same text with one word changed is not new, whatever came between", () => {
  const seen = createSeenTexts();
  const text = words(1, 200);
  expect(seen.isNew(text.join(" "))).toBe(true);
  for (let other = 2; other < 50; other++) expect(seen.isNew(words(other, 200).join(" "))).toBe(true);
  expect(seen.isNew(text.join("  "))).toBe(false);
  expect(seen.isNew(text.with(100, "another").join(" "))).toBe(false);
});

test("texts that share half of their words are new, and so are empty and short ones the first time", () => {
  const seen = createSeenTexts();
  const text = words(1, 200);
  seen.isNew(text.join(" "));
  expect(seen.isNew([...text.slice(0, 100), ...words(2, 100)].join(" "))).toBe(true);
  for (const short of ["", "a", "a b"]) {
    expect(seen.isNew(short)).toBe(true);
    expect(seen.isNew(short)).toBe(false);
  }
});
