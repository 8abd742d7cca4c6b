import { opendir, realpath, stat } from "node:fs/promises";
import { basename, dirname, join, sep } from "node:path";
import { episodeFile, requestFile } from "../save-episodes.ts";

/** Folders that are searched below what is mounted. */
const mostFolders = 200_000;
/** Where a range in a folder keeps its tokens and its state. */
const rangeFolder = ".microremed";

/**
 * Folders below the mounted ones that a program must not see: saved runs, whose files have the solutions, those that are written by this
 * run (`own`), and what a range keeps. A program finds them empty.
 */
export async function hiddenFolders(
  mounts: readonly string[],
  own: readonly (string | undefined)[],
): Promise<string[]> {
  const hidden = new Set<string>();
  for (const path of own) {
    const real = path === undefined ? undefined : await realpath(path).catch(() => undefined);
    if (real !== undefined && mounts.some((mount) => isBelow(real, mount))) hidden.add(real);
  }
  let left = mostFolders;
  for (const mount of mounts)
    for (const folders = [mount]; folders.length > 0 && left > 0; left--) {
      const folder = folders.pop() ?? "";
      const { names, below } = await read(folder);
      if (basename(folder) === rangeFolder || (names.includes(requestFile) && names.some(isEpisode)))
        hidden.add(folder);
      else folders.push(...below);
    }
  const found = await Promise.all([...hidden].map(async (path) => ((await isReached(path)) ? [path] : [])));
  return found.flat().sort();
}

const isEpisode = (name: string): boolean => episodeFile.test(name);
const isBelow = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(`${folder}${sep}`);

async function read(folder: string): Promise<{ names: string[]; below: string[] }> {
  const names: string[] = [];
  const below: string[] = [];
  const entries = await opendir(folder).catch(() => undefined);
  for await (const entry of entries ?? []) {
    if (entry.isDirectory()) below.push(join(folder, entry.name));
    else names.push(entry.name);
  }
  return { names, below };
}

/** Where this command runs as root, the program has no rights: what is closed to others it does not reach, nor can anything be put there. */
async function isReached(path: string): Promise<boolean> {
  if (process.getuid?.() !== 0) return true;
  for (let at = dirname(path); at !== dirname(at); at = dirname(at)) {
    const found = await stat(at).catch(() => undefined);
    if (!found || (found.mode & 0o001) === 0) return false;
  }
  return true;
}
