import { readdirSync, readFileSync } from "node:fs";

const ticksPerSecond = 100;

/**
 * CPU time so far, s, of these processes together, of all that they have started and that has ended, and of all below them
 * that runs. Throws where one of them does not run: it would count for nothing.
 */
export function cpuSecondsOf(pids: readonly (number | undefined)[]): number {
  const running = runningProcesses();
  const ticksBelow = (pid: number): number =>
    [...running].reduce(
      (sum, [child, { parent }]) => (parent === pid ? sum + ticksBelow(child) : sum),
      running.get(pid)?.ticks ?? 0,
    );
  const ticks = pids.map((pid) => {
    if (pid === undefined || !running.has(pid))
      throw new Error(`process ${pid ?? "of a service"} has ended: its CPU time is not known`);
    return ticksBelow(pid);
  });
  return ticks.reduce((sum, one) => sum + one, 0) / ticksPerSecond;
}

/** Parent of each process, and the ticks of itself and of its ended children. */
function runningProcesses(): ReadonlyMap<number, { readonly parent: number; readonly ticks: number }> {
  return new Map(
    readdirSync("/proc").flatMap((entry) => {
      const fields = /^\d+$/.test(entry) ? fieldsOf(entry) : [];
      if (fields.length === 0) return [];
      // Fields 4, 14 to 17 of proc(5)'s stat, counted from behind the program's name.
      const [, parent = 0] = fields;
      const ticks = fields.slice(11, 15).reduce((sum, field) => sum + field, 0);
      return [[Number(entry), { parent, ticks }] as const];
    }),
  );
}

function fieldsOf(pid: string): readonly number[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ").map(Number) ?? [];
  } catch {
    return [];
  }
}
