import type { Table } from "../format.ts";

const numbers = /\d[\d.,]*\d|\d/g;

/**
 * What is wrong with a table printed for lines of `width` characters: lines that are too long, and numbers of its cells
 * that do not occur as a whole as often as in the cells. Empty: it fits.
 */
export function misfits(text: string, table: Table, width: number): string[] {
  const lines = text.split("\n");
  const tooLong = lines.filter((line) => line.length > width).map((line) => `${line.length}: ${line}`);
  const printed = countOf(text);
  const lost = [...countOf(table.flat().join("\n"))]
    .filter(([number, times]) => (printed.get(number) ?? 0) < times)
    .map(([number, times]) => `${number} occurs ${printed.get(number) ?? 0} times, expected ${times}`);
  return [...tooLong, ...lost];
}

function countOf(text: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const [number] of text.matchAll(numbers)) counts.set(number, (counts.get(number) ?? 0) + 1);
  return counts;
}
