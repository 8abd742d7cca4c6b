import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { terminal } from "@microremed/core";
import type { StackAccess } from "./stack.types.ts";

/** Gives the commands run in this directory their connections; holds passwords, so it is readable by this user only. */
export async function writeStackFile(dir: string, access: StackAccess): Promise<AsyncDisposable> {
  const file = pathIn(dir);
  const content = { ...access, pid: process.pid };
  await writeFile(file, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  return { [Symbol.asyncDispose]: () => rm(file, { force: true }) };
}

/** Two stacks on one directory would write into each other's files. Throws `invalid-config` naming the other process. */
export async function refuseIfInUse(dir: string): Promise<void> {
  const text = await readFile(pathIn(dir), "utf8").catch(() => "{}");
  const pid = Number(/"pid": (\d+)/.exec(text)?.[1]);
  if (!(pid > 0) || pid === process.pid || !isAlive(pid)) return;
  throw terminal(
    "invalid-config",
    `${dir} belongs to a local range that is running (process ${pid}); stop it, or choose another directory`,
  );
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

const pathIn = (dir: string): string => join(dir, "stack.json");
