import { normalized } from "@microremed/sim-machine";
import type { FsStat } from "just-bash";
import { type PlainShell, printed } from "./shell.ts";

/** Larger directories, and what goes wrong, are matters for the whole shell. */
const mostEntries = 2000;
const mostLevels = 50;

interface Entry {
  readonly path: string;
  readonly stat: FsStat;
}

/** `du -s` of one directory: the sizes of its files together, KiB. */
export async function du(shell: PlainShell, [option, path = "", ...more]: readonly string[]) {
  if (option !== "-s" || more.length > 0 || !shell.programs.has("du")) return undefined;
  const entries = await entriesIn(shell, path);
  if (!entries) return undefined;
  const bytes = entries.reduce((sum, { stat }) => sum + (stat.isDirectory ? 0 : stat.size), 0);
  return printed(`${Math.ceil(bytes / 1024) || 1}\t${path}\n`);
}

/** `find DIRECTORY -type f`. */
export async function find(shell: PlainShell, [path = "", ...conditions]: readonly string[]) {
  if (conditions.join(" ") !== "-type f" || !shell.programs.has("find")) return undefined;
  const entries = await entriesIn(shell, path);
  return entries && printed(entries.map((entry) => (entry.stat.isFile ? `${entry.path}\n` : "")).join(""));
}

/** All that is in a directory and below it; undefined: there is too much, or the path is none of one. */
async function entriesIn({ programs }: PlainShell, directory: string): Promise<readonly Entry[] | undefined> {
  const { files } = programs;
  if (programs.meetsFaults || !directory.startsWith("/") || normalized(directory) !== directory)
    return undefined;
  const found: Entry[] = [];
  const walk = async (path: string, level: number): Promise<boolean> => {
    const names = await files.readdir(path);
    if (found.length + names.length > mostEntries || level > mostLevels) return false;
    for (const name of names) {
      const entry = {
        path: path === "/" ? `/${name}` : `${path}/${name}`,
        stat: await files.lstat(`${path}/${name}`),
      };
      found.push(entry);
      if (entry.stat.isDirectory && !(await walk(entry.path, level + 1))) return false;
    }
    return true;
  };
  try {
    const { isDirectory } = await files.lstat(directory);
    return isDirectory && (await walk(directory, 0)) ? found : undefined;
  } catch {
    return undefined;
  }
}
