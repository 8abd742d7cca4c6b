import { rm, stat, writeFile } from "node:fs/promises";
import { type AppError, terminal } from "@microremed/core";

/** Throws `invalid-request` where a file of this name is there. */
export async function assertFree(path: string): Promise<void> {
  if (await stat(path).catch(() => undefined)) throw occupied(path);
}

/** Nothing that is there is overwritten, not even what comes up meanwhile. What cannot be written in full is not left there. */
export async function writeNew(path: string, content: string | Uint8Array): Promise<void> {
  await writeFile(path, content, { flag: "wx" }).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code === "EEXIST") throw occupied(path);
    await rm(path, { force: true });
    throw error;
  });
}

function occupied(path: string): AppError {
  return terminal(
    "invalid-request",
    `${path} exists and is not overwritten; remove it, or name another file with --out`,
  );
}
