import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { silentLogger } from "@microremed/core";
import { expect, test } from "vitest";
import { detectSandbox } from "./sandbox.ts";
import type { Sandbox } from "./sandbox.types.ts";

/** Programs running anywhere on this machine whose arguments hold the mark. */
async function processesWith(mark: string): Promise<string[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")),
  );
  return lines.filter((line) => line.includes(mark));
}

const detected = await detectSandbox(silentLogger, process.env["PATH"] ?? "");
const plain: Sandbox = { kind: "process-group", why: "asked for by a test", tools: detected.tools };
const runProbe = fileURLToPath(new URL("./run-probe.ts", import.meta.url));

test.skipIf(process.platform !== "linux").each([
  ["in bubblewrap", detected, "77771"],
  ["in a process group", plain, "77772"],
] as const)("what runs %s ends when this process is killed", async (_, sandbox, seconds) => {
  const source = `
    import { runProbe } from ${JSON.stringify(runProbe)};
    const log = Object.fromEntries(["debug", "info", "warn", "error"].map((level) => [level, () => {}]));
    const sandbox = ${JSON.stringify(sandbox)};
    const command = "sleep ${seconds}; true";
    await runProbe({ command, kubeconfig: "clusters: []", timeoutMs: 60_000, log, sandbox });`;
  const parent = spawn(process.execPath, ["--input-type=module", "--eval", source], { stdio: "inherit" });
  const mark = `sleep\0${seconds}`;
  await expect.poll(async () => (await processesWith(mark)).length).toBeGreaterThan(0);
  parent.kill("SIGKILL");
  await once(parent, "exit");
  await expect.poll(() => processesWith(mark)).toEqual([]);
});
