import type { Dirent } from "node:fs";
import { opendir, stat } from "node:fs/promises";
import { join } from "node:path";
import { terminal } from "@microremed/core";

/** Files and folders that are searched below one folder. */
const mostFiles = 2_000_000;

/**
 * Throws `invalid-request` for what cannot be shown to a program without a way out: a named pipe takes what is written to it from a place
 * that can only be read, so does a socket. Sockets in a folder are harmless: programs that are shown one open none of the file system.
 */
export async function assertMountable(path: string): Promise<void> {
  const found = await stat(path);
  if (found.isFile()) return;
  if (!found.isDirectory())
    throw terminal("invalid-request", `${path} is no file and no folder, and cannot be shown to a program`);
  let left = mostFiles;
  for (const folders = [path]; folders.length > 0; ) {
    const folder = folders.pop() ?? "";
    // What cannot be read here, the program cannot read either.
    const entries = await opendir(folder).catch(() => undefined);
    if (!entries) continue;
    for await (const entry of entries) {
      if (--left < 0)
        throw terminal(
          "invalid-request",
          `${path} holds more than ${mostFiles} files, which are too many to be searched for named pipes; name a folder below it`,
        );
      if (entry.isDirectory()) folders.push(join(folder, entry.name));
      else assertNoPipe(path, folder, entry);
    }
  }
}

function assertNoPipe(path: string, folder: string, entry: Dirent): void {
  if (!entry.isFIFO()) return;
  throw terminal(
    "invalid-request",
    `${path} holds the named pipe ${join(folder, entry.name)}: a program could write to it, and so out of the sandbox. Remove it, or show another folder`,
  );
}
