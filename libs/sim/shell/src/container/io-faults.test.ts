import type { IoFault } from "@microremed/sim-machine";
import { expect, test } from "vitest";
import { concerns } from "./io-faults.ts";

const fault = (change: Partial<IoFault>): IoFault => ({
  owner: "toda",
  volumePath: "/data",
  percent: 100,
  delayMs: 1,
  ...change,
});

test.each<[Partial<IoFault>, string, string, boolean]>([
  [{}, "/data/x", "write", true],
  [{}, "/data", "readdir", true],
  [{}, "/database/x", "write", false],
  [{ path: "/data/*" }, "/data/x", "write", true],
  [{ path: "/data/*" }, "/data/d/x", "write", false],
  [{ path: "/data/**/*" }, "/data/x", "write", true],
  [{ path: "/data/**/*" }, "/data/a/b/x", "write", true],
  [{ path: "/data/a?.log" }, "/data/ab.log", "write", true],
  [{ path: "/data/a.log" }, "/data/aXlog", "write", false],
  [{ methods: ["read"] }, "/data/x", "write", false],
  [{ methods: ["read"] }, "/data/x", "read", true],
])("fault %o on %s %s: %s", (change, path, method, expected) => {
  expect(concerns(fault(change), path, method)).toBe(expected);
});
