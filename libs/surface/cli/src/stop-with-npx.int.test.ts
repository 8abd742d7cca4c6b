import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..", "..", "..", "..");

/** Whether any process of a group is left. */
function isLeft(group: number): boolean {
  try {
    process.kill(-group, 0);
    return true;
  } catch {
    return false;
  }
}

test("a cluster of npx ends with npx, which passes a signal on to its shell alone", async () => {
  await using dir = await mkdtempDisposable(join(tmpdir(), "microremed-npx-"));
  const npx = spawn("npx", ["microremed", "cluster", "--kubeconfig", join(dir.path, "kubeconfig")], {
    cwd: root,
    detached: true,
    stdio: ["ignore", "ignore", "pipe"],
  });
  const group = npx.pid ?? 0;
  try {
    let said = "";
    for await (const chunk of npx.stderr) {
      said += chunk;
      if (said.includes("embedded cluster at")) break;
    }
    npx.kill("SIGTERM");
    await once(npx, "exit");
    await expect.poll(() => isLeft(group), { timeout: 20_000 }).toBe(false);
  } finally {
    if (isLeft(group)) process.kill(-group, "SIGKILL");
  }
});
