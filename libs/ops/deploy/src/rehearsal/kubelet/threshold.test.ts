import { expect, test } from "vitest";
import { createThreshold } from "./threshold.ts";

test("so many equal answers in a row decide, and a different one resets the count", () => {
  const judge = createThreshold({ failureThreshold: 2, successThreshold: 2 });
  expect([false, true, false, false, true, true].map(judge)).toEqual([
    undefined,
    undefined,
    undefined,
    "failed",
    undefined,
    "succeeded",
  ]);
});

test("the kubelet's own thresholds are one success and three failures", () => {
  const judge = createThreshold({});
  expect([true, false, false, false].map(judge)).toEqual(["succeeded", undefined, undefined, "failed"]);
});
