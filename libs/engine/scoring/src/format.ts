import { paragraph } from "./break-text.ts";
import { fitTable } from "./fit-table.ts";
import type { Interval } from "./wilson.ts";

/** `87 %`, or a dash for no data. */
export function percent(value: number | null): string {
  return value === null ? "-" : `${Math.round(value * 100)} %`;
}

/** `[68, 95]`, in percent. */
export function percentInterval(interval: Interval | null): string {
  return interval === null ? "-" : `[${Math.round(interval.low * 100)}, ${Math.round(interval.high * 100)}]`;
}

/** A number with so many digits after the point, or a dash for no data. */
export function decimal(value: number | null, digits = 1): string {
  return value === null ? "-" : value.toFixed(digits);
}

/** One table: the first row is the heading. */
export type Table = readonly (readonly string[])[];

/** A table for a terminal of `width` characters: columns padded to their widest cell, a rule under the heading. */
export function plainTable(table: Table, width = Number.POSITIVE_INFINITY): string {
  return fitTable(table, width);
}

/** Names and values, one pair a line; a value that is too long for `width` goes on below itself. */
export function plainPairs(pairs: Table, width = Number.POSITIVE_INFINITY): string {
  const widest = Math.max(0, ...pairs.map(([name = ""]) => name.length));
  return pairs
    .map(([name = "", value = ""]) =>
      `${name.padEnd(widest)}  ${paragraph(value, width, widest + 2)}`.trimEnd(),
    )
    .join("\n");
}

/** A table in GitHub-flavoured Markdown. */
export function markdownTable(table: Table): string {
  const [heading = [], ...rows] = table;
  const line = (row: readonly string[]) =>
    `| ${row.map((cell) => cell.replaceAll("|", "\\|").replaceAll("\n", " ")).join(" | ")} |`;
  return [line(heading), line(heading.map(() => "---")), ...rows.map(line)].join("\n");
}
