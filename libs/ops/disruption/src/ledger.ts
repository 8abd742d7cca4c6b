import { readFile } from "node:fs/promises";
import { z } from "zod";

/** One effect of a stub stage, in the order in which they happened. */
export const LedgerLine = z.strictObject({
  /** `<episode>/<trial>/<attempt>/<stage>` */
  key: z.string(),
  /** Who did it: process and delivery. */
  work: z.string(),
  step: z.int(),
  arena: z.string(),
  fence: z.int(),
});
export type LedgerLine = z.infer<typeof LedgerLine>;

export async function readLedger(file: string): Promise<LedgerLine[]> {
  const text = await readFile(file, "utf8").catch(() => "");
  return text
    .split("\n")
    .filter(Boolean)
    .map((line) => LedgerLine.parse(JSON.parse(line)));
}

/**
 * What must never happen: an effect of a worker whose work another has taken over, or under a lease that was replaced
 * by another. Restarting work after its worker died is allowed.
 */
export function wrongEffects(lines: readonly LedgerLine[]): string[] {
  const workers = new Map<string, string[]>();
  const fences = new Map<string, number>();
  const wrong: string[] = [];
  for (const { key, work, arena, fence } of lines) {
    const known = workers.get(key) ?? [];
    workers.set(key, known.includes(work) ? known : [...known, work]);
    if (known.includes(work) && known.at(-1) !== work)
      wrong.push(`${key}: ${work} acted after ${known.at(-1)}`);
    const latest = fences.get(arena) ?? 0;
    if (fence < latest) wrong.push(`${key}: acted on ${arena} under fence ${fence} after ${latest}`);
    fences.set(arena, Math.max(fence, latest));
  }
  return wrong;
}

/** How often each kind of work was begun more than once. */
export function repeatedWork(lines: readonly LedgerLine[]): number {
  const workers = new Map<string, Set<string>>();
  for (const { key, work } of lines) workers.set(key, (workers.get(key) ?? new Set()).add(work));
  return [...workers.values()].filter((who) => who.size > 1).length;
}
