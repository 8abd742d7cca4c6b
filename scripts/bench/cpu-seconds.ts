import { readdirSync, readFileSync } from "node:fs";

const ticksPerSecond = 100;

/** CPU time so far, s, of a process, of all that it has started and that has ended, and of all below it that runs. */
export function cpuSecondsOf(pid: number | undefined): number {
  if (pid === undefined) return 0;
  const all = new Map<number, { parent: number; ticks: number }>();
  for (const entry of readdirSync("/proc")) {
    const fields = /^\d+$/.test(entry) ? fieldsOf(entry) : [];
    const at = (index: number): number => Number(fields[index] ?? 0);
    // Fields 4, 14 to 17 of proc(5)'s stat, counted from behind the program's name.
    if (fields.length > 0)
      all.set(Number(entry), { parent: at(1), ticks: at(11) + at(12) + at(13) + at(14) });
  }
  const below = (one: number): number =>
    [...all].reduce(
      (sum, [child, { parent }]) => (parent === one ? sum + below(child) : sum),
      all.get(one)?.ticks ?? 0,
    );
  return below(pid) / ticksPerSecond;
}

function fieldsOf(pid: string): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
  } catch {
    return [];
  }
}
