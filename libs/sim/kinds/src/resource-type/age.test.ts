import { expect, test } from "vitest";
import { humanDuration } from "./age.ts";

test.each([
  [42, "42s"],
  [119, "119s"],
  [185, "3m5s"],
  [599, "9m59s"],
  [3600, "60m"],
  [10_800, "3h"],
  [12_000, "3h20m"],
  [93_600, "26h"],
  [270_000, "3d3h"],
  [864_000, "10d"],
])("shows %i seconds as %s", (seconds, expected) => {
  expect(humanDuration(seconds * 1000)).toBe(expected);
});
