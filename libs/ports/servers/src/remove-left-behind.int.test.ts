import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { stat } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { isLeftBehind, makeOwnedDirectory } from "./owned-directory.ts";
import { removeLeftBehind } from "./remove-left-behind.ts";

const module = fileURLToPath(new URL("./owned-directory.ts", import.meta.url));
/** A zombie process does not count as running. */
const isAlive = (pid: number): boolean => {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
};

test.skipIf(process.platform !== "linux")(
  "what a killed process left is removed with what still runs in it; what the living have made stays",
  async () => {
    const mine = await makeOwnedDirectory("run");
    // A daemon in the directory, and one that only has its home there.
    const source = `
    import { spawn } from "node:child_process";
    import { makeOwnedDirectory } from ${JSON.stringify(module)};
    const dir = await makeOwnedDirectory("run");
    const options = { detached: true, stdio: "ignore" };
    const daemons = [
      spawn("sleep", ["600"], { ...options, cwd: dir }),
      spawn("sleep", ["600"], { ...options, cwd: "/", env: { HOME: dir + "/home", PATH: process.env.PATH } }),
    ];
    console.log(JSON.stringify({ dir, pids: daemons.map(({ pid }) => pid) }));
    setInterval(() => {}, 1000);`;
    const owner = spawn(process.execPath, ["--input-type=module", "--eval", source], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [line] = await once(owner.stdout, "data");
    const { dir, pids } = JSON.parse(String(line)) as { dir: string; pids: number[] };
    expect((await removeLeftBehind()).directories).not.toContain(dir);
    expect(pids.map(isAlive)).toEqual([true, true]);

    owner.kill("SIGKILL");
    await once(owner, "exit");
    const { directories, processes } = await removeLeftBehind();
    expect(directories).toContain(dir);
    expect(directories).not.toContain(mine);
    expect(processes).toEqual(expect.arrayContaining(pids));
    await expect.poll(() => pids.map(isAlive)).toEqual([false, false]);
    await expect(stat(dir)).rejects.toThrow(/ENOENT/);
    expect((await stat(mine)).isDirectory()).toBe(true);
  },
);

test("a process number that was reused does not count as the owner", () => {
  expect(isLeftBehind(`microremed-run-${process.pid}.1-abcdef`)).toBe(process.platform === "linux");
  expect(isLeftBehind("microremed-run-999999999.5-abcdef")).toBe(true);
  expect(isLeftBehind("microremed-run-abcdef")).toBe(false);
  expect(isLeftBehind("somebody-elses")).toBe(false);
});
