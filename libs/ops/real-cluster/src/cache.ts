import { readdir, rename, rm, stat, utimes } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { exists } from "./exists.ts";

/** The folder of what is built once for all runs: `$XDG_CACHE_HOME/microremed`, by default in `~/.cache`. */
export const cacheRoot = join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "microremed");

/** Another checkout may use an earlier build at the same time. */
const buildsOfOneName = 2;
const unusedMs = 30 * 86_400_000;

/** Moves a folder that was built to its place in the cache; where another run was faster, its build stays. */
export async function keepBuild(built: string, place: string): Promise<void> {
  await rename(built, place).catch(async (error: unknown) => {
    if (!(await exists(place))) throw error;
  });
}

/** Notes that a build is used. Its folder or file is named `<name>-<key>`, where the key follows from what it is built from. */
export async function noteUse(path: string): Promise<void> {
  const now = new Date();
  await utimes(path, now, now);
}

/**
 * Removes old builds from a folder of the cache: of each name all but the two that were used last, and what was not used
 * for 30 days.
 */
export async function limitCache(folder: string): Promise<void> {
  const entries = await Promise.all(
    (await readdir(folder)).map(async (entry) => {
      const path = join(folder, entry);
      // Another run may have removed it.
      const usedAt = (await stat(path).catch(() => undefined))?.mtimeMs ?? 0;
      return { path, usedAt, name: entry.replace(/-[0-9a-f]{12}(\.tar)?$/, "") };
    }),
  );
  const kept = new Map<string, number>();
  for (const { path, usedAt, name } of entries.toSorted((a, b) => b.usedAt - a.usedAt)) {
    const before = kept.get(name) ?? 0;
    kept.set(name, before + 1);
    if (before >= buildsOfOneName || Date.now() - usedAt > unusedMs)
      await rm(path, { recursive: true, force: true });
  }
}
