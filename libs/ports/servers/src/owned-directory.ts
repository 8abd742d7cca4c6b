import { readFileSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const pattern = /^microremed-[a-z-]+?-(\d+)\.(\d+)-\w{6}$/;

/**
 * A new temporary directory whose name says which process made it, so that it is known when no process is left that
 * would remove it (see `removeLeftBehind`).
 */
export function makeOwnedDirectory(what: string): Promise<string> {
  return mkdtemp(join(tmpdir(), `microremed-${what}-${process.pid}.${startOf(process.pid) ?? 0}-`));
}

/** Whether the process that made a directory of this name has ended; false too for names of other kinds. */
export function isLeftBehind(name: string): boolean {
  const [, pid, start] = pattern.exec(name) ?? [];
  if (pid === undefined || start === undefined) return false;
  const now = startOf(Number(pid));
  return now === undefined || (start !== "0" && now !== start);
}

/** When a process was started, in the machine's ticks; `0` if that is unknown. Undefined: it does not run. */
function startOf(pid: number): string | undefined {
  if (process.platform !== "linux") return isAlive(pid) ? "0" : undefined;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const [state, ...rest] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return state === "Z" ? undefined : rest[18];
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
