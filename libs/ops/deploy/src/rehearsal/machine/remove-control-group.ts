import { readdir, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

const pauseMs = 100;

/**
 * Removes a control group with those in it. Its files go with it; the kernel frees the group itself a moment after its last
 * process ended. Throws when it does not within ten seconds.
 */
export async function removeControlGroup(dir: string, triesLeft = 100): Promise<void> {
  const entries = await readdir(dir, { withFileTypes: true }).catch(() => []);
  for (const entry of entries) if (entry.isDirectory()) await removeControlGroup(join(dir, entry.name));
  try {
    await rmdir(dir);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
    if (triesLeft === 0) throw error;
    await delay(pauseMs);
    await removeControlGroup(dir, triesLeft - 1);
  }
}
