import type { Grade } from "@microremed/contracts";
import { expect, test } from "vitest";
import { endingText, givenUpText } from "./ending.ts";

const submitted = (task: string | undefined, grade: Pick<Grade, "passed" | "reason">) =>
  ({
    kind: "submit",
    tool: "submit",
    arguments: {},
    ...(task !== undefined && { task }),
    result: { ...grade, score: 1, parts: {} },
  }) as never;

test("a cycle ends with a line for each of its tasks, any other game with its reason", () => {
  const steps = [
    submitted("detection", { passed: true, reason: "something was" }),
    submitted("analysis", { passed: false, reason: "named a; it was b" }),
  ];
  expect(endingText({ outcome: "not-solved", reason: null, steps })).toBe(
    "not-solved\n  detection: passed: something was\n  analysis: failed: named a; it was b",
  );
  const one = [submitted(undefined, { passed: true, reason: "something was" })];
  expect(endingText({ outcome: "solved", reason: null, steps: one })).toBe("solved: something was");
  expect(endingText({ outcome: "harness-error", reason: "it broke", steps: [] })).toBe(
    "harness-error: it broke",
  );
});

test("who gives up reads what was wrong, and where the game is", () => {
  expect(givenUpText(["the Service leads nowhere"], "a@1/b", "runs/a")).toBe(
    "given up. What was wrong: the Service leads nowhere\nall of it: microremed problems describe a@1/b --solution\nwhat was played is saved in runs/a",
  );
  expect(givenUpText([], "a@1/b", undefined)).toMatch(/^given up. What was wrong: nothing\n/);
});
