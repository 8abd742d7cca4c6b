import { spawn } from "node:child_process";
import { once } from "node:events";
import { realpath } from "node:fs/promises";
import type { Readable } from "node:stream";
import { expect, test } from "vitest";
import { runConfined } from "./run-confined.ts";
import { sandboxMemory } from "./sandbox-memory.ts";
import { sandboxesHere } from "./testing/index.ts";

const kubeconfig = "apiVersion: v1\nkind: Config\nclusters: []\nusers: []\ncontexts: []\n";
const { none, best } = await sandboxesHere();
const sandboxes = [...new Set([none, best])];

/** Soft and hard limits in bytes or in numbers, as the kernel has them: a shell's units differ between shells. */
async function limitsIn(sandbox: typeof none, env: Readonly<Record<string, string>>) {
  const argv = ["cat", "/proc/self/limits"] as const;
  const run = { sandbox, kubeconfig, argv, files: {}, env: () => env, timeoutMs: 30_000 };
  const { output, exitCode } = await runConfined(run);
  expect(exitCode, output).toBe(0);
  const limitOf = (name: string) => new RegExp(`^${name} +(\\S+) +(\\S+)`, "m").exec(output)?.slice(1);
  return {
    file: limitOf("Max file size"),
    data: limitOf("Max data size"),
    descriptors: limitOf("Max open files"),
    core: limitOf("Max core file size"),
  };
}

test.each(sandboxes)(
  "the kernel holds the limits of a run in $kind, whatever mode its shell begins in",
  async (sandbox) => {
    const both = (limit: number) => [String(limit), String(limit)];
    const limits = { file: both(256 * 2 ** 20), data: both(2 ** 30), descriptors: both(1024), core: both(0) };
    expect(await limitsIn(sandbox, {})).toEqual(limits);
    expect(await limitsIn(sandbox, { POSIXLY_CORRECT: "1" })).toEqual(limits);
  },
);

test.each(sandboxes)(
  "an editor ends at once in $kind and says what to use, and pagers only print",
  async (sandbox) => {
    const script = `echo kept > file
      for editor in "$KUBE_EDITOR" "$EDITOR" "$VISUAL"; do bash -c "$editor \\"file\\""; echo "ended with $?"; done
      $PAGER file`;
    const argv = ["bash", "-c", script] as const;
    const { output } = await runConfined({ sandbox, kubeconfig, argv, files: {}, timeoutMs: 60_000 });
    const editor =
      /^error: there is no terminal .* use kubectl patch, kubectl set or kubectl apply -f instead$/;
    const ended = [expect.stringMatching(editor), "ended with 1"];
    expect(output.trimEnd().split("\n")).toEqual([...ended, ...ended, ...ended, "kept"]);
  },
);

test.each(sandboxes)(
  "a program for a terminal ends at once in $kind: there is nothing to read, also from where it prints",
  async (sandbox) => {
    const script = `cat; cat <&1; cat <&2; cat < /dev/tty; echo "read all"
      for program in vim vi; do command -v $program > /dev/null && { $program file; echo "ended with $?"; }; done; echo done`;
    const argv = ["bash", "-c", script] as const;
    const end = await runConfined({ sandbox, kubeconfig, argv, files: {}, timeoutMs: 60_000 });
    expect(end).toMatchObject({ how: "exited", exitCode: 0 });
    expect(end.output).toContain("read all");
    expect(end.output).not.toContain("ended with 0");
    expect(end.output.trimEnd().endsWith("done")).toBe(true);
  },
);

test("a file of a run without a sandbox grows to its bound and no further", async () => {
  const argv = ["bash", "-c", "head -c 300M /dev/zero > large; stat -c %s large"] as const;
  const { output } = await runConfined({ sandbox: none, kubeconfig, argv, files: {}, timeoutMs: 60_000 });
  expect(output).toContain(String(256 * 2 ** 20));
});

test.runIf(best.kind === "bubblewrap")(
  "a kubectl that was chosen is what the name of the other one runs",
  async () => {
    if (best.kind !== "bubblewrap") return;
    const [real, insteadOf] = await Promise.all([realpath("/usr/bin/echo"), realpath("/usr/bin/tac")]);
    const kubectl = { path: "/usr/bin/tac", real, insteadOf };
    const sandbox = { ...best, tools: { ...best.tools, kubectl } };
    const argv = ["tac", "chosen"] as const;
    const { output } = await runConfined({ sandbox, kubeconfig, argv, files: {}, timeoutMs: 60_000 });
    expect(output).toBe("chosen\n");
  },
);

test.runIf(best.kind === "bubblewrap")(
  "the memory of a run is counted once it is in its sandbox",
  async () => {
    const measured: number[] = [];
    // Named as soon as it is there, long before it has entered: this is when all of the machine would be counted.
    for (let round = 0; round < 20; round++) {
      const isolated = [
        "--unshare-user",
        "--unshare-pid",
        "--unshare-net",
        "--ro-bind",
        "/",
        "/",
        "--proc",
        "/proc",
      ];
      const args = [...isolated, "--tmpfs", "/tmp", "--info-fd", "3", "--", "sleep", "0.1"];
      const child = spawn("bwrap", args, { stdio: ["ignore", "ignore", "inherit", "pipe"] });
      const ended = once(child, "close");
      let info = "";
      for await (const chunk of child.stdio[3] as Readable) info += chunk;
      const pid = Number(/"child-pid": (\d+)/.exec(info)?.[1]);
      measured.push(sandboxMemory(pid, ["/tmp"]));
      await ended;
    }
    expect(Math.max(...measured)).toBeLessThan(2 ** 27);
  },
);
