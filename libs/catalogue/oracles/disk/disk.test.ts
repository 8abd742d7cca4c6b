import type { WriteReading } from "@microremed/catalogue";
import { expect, test } from "vitest";
import { diskSymptom, judgeDisk } from "./index.ts";

const fast: WriteReading = {
  pod: "a",
  mounted: true,
  exitCode: 0,
  error: "",
  seconds: Array(12).fill(0.002),
};

test("twelve quick writes pass", () => {
  expect(judgeDisk([fast], 0.01, 0).passed).toBe(true);
});

test.each<[string, Partial<WriteReading>, RegExp]>([
  ["dd cannot open the file", { exitCode: 1, seconds: [], error: "can't open" }, /can't open/],
  [
    "the command could not be run",
    { exitCode: null, seconds: [], error: "container not running" },
    /not running/,
  ],
  ["the mount is gone", { mounted: false }, /nothing mounted/],
  ["one write is slow", { seconds: [...Array(11).fill(0.002), 5.1] }, /took 5.1 s/],
  ["only a few lucky writes ended", { seconds: [0.002, 0.002] }, /only 2 of 12/],
  ["dd says success without a word", { seconds: [] }, /only 0 of 12/],
])("fails when %s", (_what, change, reason) => {
  const verdict = judgeDisk([{ ...fast, ...change }], 0.01, 0);
  expect(verdict.passed).toBe(false);
  expect(verdict.reason).toMatch(reason);
});

test("no pods, nothing passes", () => {
  expect(judgeDisk([], 0.01, 0).passed).toBe(false);
});

test("an error is no symptom of slowness", () => {
  expect(diskSymptom([{ ...fast, exitCode: 1, seconds: [] }], 0.01, 0).shows).toBe(false);
  expect(diskSymptom([{ ...fast, seconds: [0.002, 5] }], 0.01, 0).shows).toBe(true);
});

test("slow is what is half a second slower than before, and without a before nothing is known", () => {
  expect(judgeDisk([{ ...fast, seconds: Array(12).fill(0.3) }], 0.01, 0).passed).toBe(true);
  expect(judgeDisk([{ ...fast, seconds: Array(12).fill(0.6) }], 0.01, 0).passed).toBe(false);
  expect(judgeDisk([fast], undefined, 0).passed).toBe(false);
  expect(diskSymptom([{ ...fast, seconds: [5] }], undefined, 0).shows).toBe(false);
});
