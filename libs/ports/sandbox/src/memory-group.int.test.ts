import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findMemoryGroups, type MemoryGroups, openMemoryGroup } from "./memory-group.ts";
import { runConfined } from "./run-confined.ts";
import { sandboxesHere } from "./testing/index.ts";

const kubeconfig = "apiVersion: v1\nkind: Config\nclusters: []\nusers: []\ncontexts: []\n";
const groups = await findMemoryGroups();
const { best } = await sandboxesHere();
const mebibyte = 2 ** 20;

/** Runs Python in a group of 64 MiB; it waits for a line before it does anything. */
async function runBounded(found: MemoryGroups, code: string): Promise<{ how: unknown; killed: boolean }> {
  await using group = openMemoryGroup(found, 64 * mebibyte, undefined);
  const child = spawn("python3", ["-c", `import mmap, os, socket\ninput()\n${code}`], {
    stdio: ["pipe", "ignore", "ignore"],
  });
  const ended = once(child, "exit");
  group.add(child.pid ?? 0);
  child.stdin.end("\n");
  const [code_, signal] = await ended;
  return { how: signal ?? code_, killed: group.hasKilled() };
}

test.runIf(groups).each([
  ["memory of its own", "x = b'x' * (200 << 20)"],
  ["shared anonymous memory", "m = mmap.mmap(-1, 200 << 20)\nm.write(b'x' * (200 << 20))"],
  ["an anonymous file", "f = os.memfd_create('a')\nfor i in range(200): os.write(f, b'x' * (1 << 20))"],
])("the kernel ends a process that takes more than its group may have as %s", async (_, code) => {
  expect(await runBounded(groups as MemoryGroups, code)).toEqual({ how: "SIGKILL", killed: true });
});

test.runIf(groups)("a process within its bound ends as it does by itself", async () => {
  expect(await runBounded(groups as MemoryGroups, "x = b'x' * (5 << 20)")).toEqual({ how: 0, killed: false });
});

test.runIf(groups)(
  "shared memory of many processes is counted once, by the group that they are in",
  async () => {
    const code = [
      "m = mmap.mmap(-1, 40 << 20)",
      "for i in range(40): m.write(b'x' * (1 << 20))",
      "for i in range(4):\n  if os.fork() == 0: sum(m[0:40 << 20:4096]); os._exit(0)",
      "for i in range(4): os.wait()",
    ].join("\n");
    expect(await runBounded(groups as MemoryGroups, code)).toEqual({ how: 0, killed: false });
  },
);

test.runIf(best.kind === "bubblewrap" && groups)(
  "a run that the kernel ends for its memory is exhausted",
  async () => {
    const argv = [
      "python3",
      "-c",
      "import os\nfor i in range(4): os.fork()\nx = b'x' * (300 << 20)",
    ] as const;
    const { how } = await runConfined({ sandbox: best, kubeconfig, argv, files: {}, timeoutMs: 60_000 });
    expect(how).toBe("exhausted");
  },
);

test.runIf(best.kind === "bubblewrap")("a run whose group cannot be made is not run", async () => {
  await using dir = await mkdtempDisposable(join(tmpdir(), "microremed-no-groups-"));
  const memoryGroups = { version: 1, directory: join(dir.path, "gone") } as const;
  const sandbox = { ...best, memoryGroups } as typeof best;
  const run = { sandbox, kubeconfig, argv: ["true"] as const, files: {}, timeoutMs: 30_000 };
  await expect(runConfined(run)).rejects.toMatchObject({ code: "missing-tool", severity: "terminal" });
});

test("a directory that is no control group, or one without the memory controller, is not used", async () => {
  await using dir = await mkdtempDisposable(join(tmpdir(), "microremed-fake-groups-"));
  const v2 = `41 31 0:38 / ${dir.path} rw - cgroup2 cgroup2 rw\n`;
  expect(await findMemoryGroups(v2, "0::/\n")).toBeUndefined();
  const v1 = `35 31 0:32 / ${dir.path} rw - cgroup cgroup rw,memory\n`;
  expect(await findMemoryGroups(v1, "4:memory:/\n")).toBeUndefined();
  expect(await findMemoryGroups(v1.replace("memory", "cpu"), "4:cpu:/\n")).toBeUndefined();
});
