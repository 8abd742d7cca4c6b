import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { cpuSecondsOf } from "./cpu-seconds.ts";

const computes = "for (let i = 0; process.cpuUsage().user < 100_000; i++);";

test("children count with their parent, also when they have ended", () => {
  const before = cpuSecondsOf([process.pid]);
  spawnSync(process.execPath, ["-e", computes]);
  expect(cpuSecondsOf([process.pid]) - before).toBeGreaterThanOrEqual(0.1);
});

test("a process that has ended has no CPU time that could be taken for 0", async () => {
  const child = spawn(process.execPath, ["-e", ""]);
  await once(child, "exit");
  expect(() => cpuSecondsOf([process.pid, child.pid])).toThrow(`process ${child.pid} has ended`);
  expect(() => cpuSecondsOf([undefined])).toThrow("has ended");
});
