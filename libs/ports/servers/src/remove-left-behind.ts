import { readdir, readFile, readlink, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isLeftBehind } from "./owned-directory.ts";

/** What was found from processes that had ended, and was removed or ended. */
export interface LeftBehind {
  readonly directories: readonly string[];
  /** Process ids. */
  readonly processes: readonly number[];
}

/**
 * Removes the temporary directories of processes that have ended without doing so, and ends what still runs in them:
 * servers, and programs of a playbook that left its process group where there was no sandbox. Guards do this at once
 * (see `whenOrphaned`); this is for when they were killed as well, or the machine went down. Never throws.
 */
export async function removeLeftBehind(): Promise<LeftBehind> {
  const names = await readdir(tmpdir()).catch(() => []);
  const directories = names.filter(isLeftBehind).map((name) => join(tmpdir(), name));
  if (directories.length === 0) return { directories, processes: [] };
  const processes = await processesIn(directories);
  for (const pid of processes) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has ended by itself, or is not ours to end.
    }
  }
  const forced = { recursive: true, force: true, maxRetries: 5 } as const;
  await Promise.all(directories.map((directory) => rm(directory, forced).catch(() => undefined)));
  return { directories, processes };
}

/** Processes whose working directory or home is in one of the directories; others' cannot be seen, and are not ours. */
async function processesIn(directories: readonly string[]): Promise<number[]> {
  const isInside = (path: string): boolean =>
    directories.some((directory) => path === directory || path.startsWith(`${directory}/`));
  const pids = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    pids.map(async (pid) => {
      const [cwd, environment] = await Promise.all([
        readlink(`/proc/${pid}/cwd`).catch(() => ""),
        readFile(`/proc/${pid}/environ`, "utf8").catch(() => ""),
      ]);
      const home = environment.split("\0").find((variable) => variable.startsWith("HOME="));
      return isInside(cwd) || isInside(home?.slice("HOME=".length) ?? "") ? [Number(pid)] : [];
    }),
  );
  return found.flat().filter((pid) => pid !== process.pid);
}
