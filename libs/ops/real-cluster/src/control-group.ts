import { mkdir, readdir, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { whenOrphaned } from "@microremed/servers";
import { exists } from "./exists.ts";

const root = "/sys/fs/cgroup";

/** A control group of this name in every hierarchy: the parent of a node's pods. Disposing removes it, when nothing runs in it; so does the end of this process. */
export async function createControlGroup(name: string): Promise<AsyncDisposable> {
  const dirs = (await hierarchies()).map((hierarchy) => join(hierarchy, name));
  for (const dir of dirs) await mkdir(dir, { recursive: true });
  const guard = whenOrphaned(removeTrees, dirs);
  return {
    async [Symbol.asyncDispose]() {
      guard.release();
      for (const dir of dirs) await removeTree(dir);
    },
  };
}

/** Processes of a machine end a moment after its keeper. */
const removeTrees = 'for _ in 1 2 3 4 5; do sleep 2; find "$@" -depth -type d -exec rmdir {} \\;; done';

/** Version 2 has one hierarchy, version 1 has one for each controller. */
async function hierarchies(): Promise<string[]> {
  if (await exists(join(root, "cgroup.controllers"))) return [root];
  const entries = await readdir(root, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(root, name));
}

/** The files of a control group go with it; the kernel frees the group itself a moment after its last process ended. */
async function removeTree(dir: string, triesLeft = 20): Promise<void> {
  const entries = await readdir(dir, { withFileTypes: true }).catch(() => []);
  for (const entry of entries) if (entry.isDirectory()) await removeTree(join(dir, entry.name));
  try {
    await rmdir(dir);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
    if (triesLeft === 0) throw error;
    await new Promise((resolve) => setTimeout(resolve, 100));
    await removeTree(dir, triesLeft - 1);
  }
}
