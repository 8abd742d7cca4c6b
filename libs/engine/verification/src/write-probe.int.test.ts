import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { parseDd, writeScript } from "./write-probe.ts";

test.each([
  ["quick writes", "65536 bytes (64.0KB) copied, 0.000537 seconds, 116.4MB/s", 0, 12],
  ["very quick writes", "65536 bytes (66 kB, 64 KiB) copied, 9.9e-05 s, 660 MB/s", 0, 12],
  ["slow writes", "65536 bytes (64.0KB) copied, 5.001234 seconds, 12.8KB/s", 0, 1],
  ["failing writes", "dd: can't open 'x': Read-only file system", 1, 0],
])("the script itself, run by sh with a dd that reports %s", (_what, report, exitCode, writes) => {
  const dd = `dd() { echo "${report}" >&2; return ${exitCode}; }\n`;
  const { status, stderr } = spawnSync("sh", ["-c", dd + writeScript("/nowhere")], { encoding: "utf8" });
  expect(status).toBe(exitCode);
  expect(parseDd(stderr)).toHaveLength(writes);
});
