import { expect, test } from "vitest";
import { nothingWrong } from "./ground-truth.ts";
import { truthOfFlapping } from "./truth-of-flapping.ts";

const truth = { ...nothingWrong, explanation: "packets to cart are lost" };

test("the truth of a fault that comes and goes says so, and how long it acts and rests", () => {
  expect(truthOfFlapping(truth, undefined)).toBe(truth);
  expect(truthOfFlapping(truth, { onSeconds: 40, offSeconds: 60 }).explanation).toBe(
    "packets to cart are lost; it comes and goes: it acts for 40 s and rests for 60 s, in turn",
  );
  expect(truthOfFlapping(truth, { onSeconds: [30, 90], offSeconds: 60 }).explanation).toContain("30 to 90 s");
});
