import { expect, test } from "vitest";
import { formatQuantity, parseQuantity } from "./quantity.ts";

test.each([
  ["100m", 0.1],
  ["2", 2],
  [2, 2],
  ["1e3", 1000],
  ["64Mi", 64 * 1024 ** 2],
  ["1G", 1e9],
  ["-5k", -5000],
  ["", undefined],
  ["64 Mi", undefined],
  ["1Q", undefined],
  [undefined, undefined],
  ["1.", 1],
  [".5Gi", 2 ** 29],
  ["1.5Gi", 1.5 * 2 ** 30],
  ["1500000n", 0.0015],
  ["35m", 0.035],
  ["1e-3", 0.001],
  ["1E", 1e18],
  ["2Pi", 2 ** 51],
  ["1e3Mi", undefined],
  ["1.2.3", undefined],
  [" 1", undefined],
  ["1e999", undefined],
  [Number.NaN, undefined],
  [null, undefined],
  [{}, undefined],
])("%s is %s", (text, value) => {
  expect(parseQuantity(text)).toBe(value);
});

test.each([
  [64 * 1024 ** 2, "1Gi", "64Mi"],
  [0.25, "1", "250m"],
  [1500, "1", "1500"],
  [2000, "1", "2k"],
  [0, "1Ki", "0"],
])("%s, written like %s, is %s", (value, like, text) => {
  expect(formatQuantity(value, like)).toBe(text);
});
