import { readdir, readFile } from "node:fs/promises";

/** Processes of this machine, those in containers too, with these words in their arguments and this text among their control groups. */
export async function processesWith(words: string, group = ""): Promise<number[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    pids.map(async (pid) => {
      // It may end meanwhile.
      const read = (file: string) => readFile(`/proc/${pid}/${file}`, "utf8").catch(() => "");
      const [said, groups] = [(await read("cmdline")).replaceAll("\0", " "), await read("cgroup")];
      return said.includes(words) && groups.includes(group) ? [Number(pid)] : [];
    }),
  );
  return found.flat();
}
