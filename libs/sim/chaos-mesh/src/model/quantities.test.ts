import { parseGoDuration } from "@microremed/sim-time";
import { expect, test } from "vitest";
import { parseByteSize, parseRate } from "./byte-size.ts";

test.each([
  ["256MB", 256e6],
  ["256MiB", 256 << 20],
  ["256Mi", 256 << 20],
  ["1.5GB", 1.5e9],
  ["512", 512],
  ["25%", 250],
])("a size of %s is %d bytes", (text, bytes) => {
  expect(parseByteSize(text, 1000)).toBe(bytes);
});

test.each([
  ["8kbit", 1000],
  ["1mbps", 1e6],
  ["100bps", 100],
])("a rate of %s is %d bytes per second", (text, rate) => {
  expect(parseRate(text)).toBe(rate);
});

test.each([
  ["1h30m", 5_400_000],
  ["1.5s", 1500],
  ["-2s", -2000],
  ["0", 0],
  ["100ms", 100],
])("a duration of %s is %d ms", (text, ms) => {
  expect(parseGoDuration(text)).toBe(ms);
});

test.each([
  ["", 'time: invalid duration ""'],
  ["abc", 'time: invalid duration "abc"'],
  ["5d", 'time: unknown unit "d" in duration "5d"'],
  ["1h5", 'time: missing unit in duration "1h5"'],
])("refuses %j in Go's words", (text, message) => {
  expect(() => parseGoDuration(text)).toThrow(message);
});
