import type { Interval } from "./wilson.ts";

/** `87 %`, or a dash for no data. */
export function percent(value: number | null): string {
  return value === null ? "-" : `${Math.round(value * 100)} %`;
}

/** `[68, 95]`, in percent. */
export function percentInterval(interval: Interval | null): string {
  return interval === null ? "-" : `[${Math.round(interval.low * 100)}, ${Math.round(interval.high * 100)}]`;
}

export function decimal(value: number | null, digits = 1): string {
  return value === null ? "-" : value.toFixed(digits);
}

/** One table: the first row is the heading. */
export type Table = readonly (readonly string[])[];

/** A table for a terminal: columns padded to their widest cell, a rule under the heading. */
export function plainTable(table: Table): string {
  const widths = (table[0] ?? []).map((_, column) =>
    Math.max(...table.map((row) => (row[column] ?? "").length)),
  );
  const line = (row: readonly string[]) =>
    widths
      .map((width, column) => (row[column] ?? "").padEnd(width))
      .join("  ")
      .trimEnd();
  const [heading = [], ...rows] = table;
  return [line(heading), widths.map((width) => "-".repeat(width)).join("  "), ...rows.map(line)].join("\n");
}

/** A table in GitHub-flavoured Markdown. */
export function markdownTable(table: Table): string {
  const [heading = [], ...rows] = table;
  const line = (row: readonly string[]) =>
    `| ${row.map((cell) => cell.replaceAll("|", "\\|").replaceAll("\n", " ")).join(" | ")} |`;
  return [line(heading), line(heading.map(() => "---")), ...rows.map(line)].join("\n");
}
