import { readdir, readFile } from "node:fs/promises";

/** A process of this machine, or of a container on it. */
export interface SeenProcess {
  readonly pid: number;
  /** Its arguments. */
  readonly words: string;
}

/** The processes for whose arguments and control groups, both as text, `isMeant` holds. */
export async function processesWhere(
  isMeant: (words: string, groups: string) => boolean,
): Promise<SeenProcess[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    pids.map(async (pid) => {
      // It may end meanwhile.
      const read = (file: string) => readFile(`/proc/${pid}/${file}`, "utf8").catch(() => "");
      const [words, groups] = [(await read("cmdline")).replaceAll("\0", " "), await read("cgroup")];
      return isMeant(words, groups) ? [{ pid: Number(pid), words }] : [];
    }),
  );
  return found.flat();
}
