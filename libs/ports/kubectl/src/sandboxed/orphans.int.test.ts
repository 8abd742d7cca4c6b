import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

/** Programs running anywhere on this machine whose arguments hold the mark. */
async function processesWith(mark: string): Promise<string[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")),
  );
  return lines.filter((line) => line.includes(mark));
}

const sandboxes = import.meta.resolve("@microremed/sandbox/testing");
const runProbe = fileURLToPath(new URL("./run-probe.ts", import.meta.url));

test.skipIf(process.platform !== "linux").each([
  ["in bubblewrap", "best", "77771"],
  ["in a process group", "none", "77772"],
] as const)("what runs %s ends when this process is killed", async (_, sandbox, seconds) => {
  const source = `
    import { runProbe } from ${JSON.stringify(runProbe)};
    import { sandboxesHere } from ${JSON.stringify(sandboxes)};
    const { ${sandbox}: sandbox } = await sandboxesHere();
    const command = "sleep ${seconds}; true";
    await runProbe({ command, kubeconfig: '{"clusters": []}', timeoutMs: 60_000, sandbox });`;
  const parent = spawn(process.execPath, ["--input-type=module", "--eval", source], { stdio: "inherit" });
  const mark = `sleep\0${seconds}`;
  await expect.poll(async () => (await processesWith(mark)).length).toBeGreaterThan(0);
  parent.kill("SIGKILL");
  await once(parent, "exit");
  await expect.poll(() => processesWith(mark)).toEqual([]);
});
