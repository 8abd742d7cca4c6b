import { expect, test } from "vitest";
import { parseDd, writeScript } from "./write-probe.ts";

test("reads the times of GNU's and busybox's dd", () => {
  expect(
    parseDd(
      "1+0 records in\n1+0 records out\n65536 bytes (66 kB, 64 KiB) copied, 0.000123 s, 533 MB/s\n65536 bytes (64.0KB) copied, 5.001234 seconds, 13.1KB/s\n",
    ),
  ).toEqual([0.000123, 5.001234]);
  expect(parseDd("dd: can't open '/var/log/mysql/x': Read-only file system")).toEqual([]);
});

test("removes its file whatever happens", () => {
  expect(writeScript("/data")).toMatch(/rm -f \$f/);
});
