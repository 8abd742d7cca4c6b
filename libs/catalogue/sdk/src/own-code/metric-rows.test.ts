import { expect, test } from "vitest";
import { metricRows, metricTimes, withoutGaps } from "./metric-rows.ts";

test("reads the rows of an answer and leaves out what is none", () => {
  const text = `latency (ms, mean) per workload, every 5 s from 00:02:06 to 00:02:21; highest now first
checkout-1: 23.8 - 2020 3e-10
db: 0
[4 of 9 left out: raise \`top\`, name one in \`of\`, or take a longer \`step\`]`;
  expect(metricRows(text)).toEqual([
    { name: "checkout-1", values: [23.8, null, 2020, 3e-10] },
    { name: "db", values: [0] },
  ]);
  expect(metricTimes(text)).toEqual({ first: 126, step: 5 });
  expect(metricTimes("nothing")).toBeUndefined();
  expect(metricRows("Nothing was measured in that time.")).toEqual([]);
});

test("in a gap nothing is used, and a latency stays as it was", () => {
  expect(withoutGaps([null, 2, null, 3, null], "cpu")).toEqual([2, 2, 0, 3, 0]);
  expect(withoutGaps([null, 2, null, 3, null], "latency")).toEqual([2, 2, 2, 3, 3]);
  expect(withoutGaps([null, null], "errors")).toEqual([0, 0]);
});
