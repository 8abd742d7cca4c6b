import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { silentLogger } from "@microremed/core";
import { expect, test } from "vitest";
import { startStack } from "./start-stack.ts";

const startStackFile = fileURLToPath(new URL("./start-stack.ts", import.meta.url));

interface StackInAProcess {
  readonly parent: ChildProcess;
  readonly dir: string;
  readonly servicePid: number;
}

/** Starts a stack in a process of its own, which says when it is up; without `dir`, in a temporary directory. */
async function stackInAProcess(dir?: string): Promise<StackInAProcess> {
  const source = `
    import { startStack } from ${JSON.stringify(startStackFile)};
    const clusters = { environments: ["simple-micro"], count: 1, timeScale: 1, seed: 1 };
    const log = Object.fromEntries(["debug", "info", "warn", "error"].map((level) => [level, () => {}]));
    const stack = await startStack({ clusters, log, ...${JSON.stringify(dir === undefined ? {} : { dir })} });
    console.log(JSON.stringify({ dir: stack.dir, servicePid: stack.services[0].pid }));
    setInterval(() => {}, 1000);`;
  const args = ["--input-type=module", "--eval", source];
  const parent = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = await once(parent.stdout, "data");
  return { parent, ...JSON.parse(String(line)) };
}

/** Processes of this machine whose parent is among `parents`, and theirs. */
async function descendants(parent: number): Promise<number[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const stats = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/stat`, "utf8").catch(() => "")));
  const parentOf = new Map(
    stats.map((line) => {
      const [, ppid] = line.slice(line.lastIndexOf(")") + 2).split(" ");
      return [Number.parseInt(line, 10), Number(ppid)];
    }),
  );
  const below = (pid: number): number[] =>
    [...parentOf].filter(([, ppid]) => ppid === pid).flatMap(([child]) => [child, ...below(child)]);
  return below(parent);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test.skipIf(process.platform !== "linux")(
  "everything ends, even a service that hangs, with the temporary directory, when who started it is killed",
  async () => {
    const { parent, dir, servicePid } = await stackInAProcess();
    process.kill(servicePid, "SIGSTOP");
    const children = await descendants(parent.pid ?? 0);
    expect(children.length).toBeGreaterThanOrEqual(7);
    parent.kill("SIGKILL");
    await once(parent, "exit");
    await expect.poll(() => children.filter(isAlive)).toEqual([]);
    await expect(stat(dir)).rejects.toThrow(/ENOENT/);
  },
);

test.skipIf(process.platform !== "linux")(
  "a stack starts in the directory of one that was killed a moment ago",
  async () => {
    const dir = await mkdtemp(join(tmpdir(), "microremed-test-"));
    try {
      const { parent } = await stackInAProcess(dir);
      parent.kill("SIGKILL");
      await once(parent, "exit");
      const clusters = { environments: ["simple-micro"], count: 1, timeScale: 1, seed: 1 };
      await using stack = await startStack({ dir, clusters, log: silentLogger });
      for (const { healthUrl } of stack.services) {
        expect((await fetch(`${healthUrl}/readyz`)).status).toBe(200);
      }
    } finally {
      await rm(dir, { recursive: true, force: true, maxRetries: 5 });
    }
  },
);
