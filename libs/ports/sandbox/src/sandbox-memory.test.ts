import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { sandboxMemory } from "./sandbox-memory.ts";

test("a process that is in no sandbox, or not yet, is not counted as one that uses the whole machine", async () => {
  expect(sandboxMemory(process.pid, ["/", "/tmp"])).toBe(0);
  const child = spawn("sleep", ["600"], { stdio: "ignore" });
  await once(child, "spawn");
  expect(sandboxMemory(child.pid ?? 0, ["/", "/tmp"])).toBe(0);
  child.kill("SIGKILL");
  await once(child, "exit");
  expect(sandboxMemory(child.pid ?? 0, ["/", "/tmp"])).toBe(0);
});
