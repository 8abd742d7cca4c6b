import { breakText, longestPiece } from "./break-text.ts";
import type { Table } from "./format.ts";

/** Between two columns. */
const gap = 2;
/** Text up to this length, in characters, is not broken. */
const wholeUpTo = 18;
/** At most so many leading columns say which row it is. */
const mostKeys = 3;
/** Numbers, shares, intervals, dashes: nothing in such a cell is ever broken. */
const numeric = /^[-+\d.,:/%()[\] ]*$/;

interface Column {
  /** Below this width a number, or a short name, would be broken. */
  readonly least: number;
  /** Its widest cell. */
  readonly natural: number;
}

/**
 * The lines of a table of at most `width` characters. Text is broken into several lines of its cell; numbers are whole.
 * A table with too many columns is printed in parts below one another, each with the columns that name the row.
 */
export function fitTable(table: Table, width: number): string {
  const [heading = [], ...rows] = table;
  const columns = heading.map((name, index) =>
    columnOf(
      name,
      rows.map((row) => row[index] ?? ""),
    ),
  );
  return partsOf(table, columns, width)
    .map((part) => {
      const widths = widthsOf(
        part.flatMap((index) => columns[index] ?? []),
        width,
      );
      const lines = (row: readonly string[]) =>
        rowLines(part.map((index) => row[index] ?? "").map(breakTo(widths)), widths);
      const rule = widths.map((one) => "-".repeat(one)).join(" ".repeat(gap));
      return [...lines(heading), rule, ...rows.flatMap(lines)].join("\n");
    })
    .join("\n\n");
}

function columnOf(heading: string, cells: readonly string[]): Column {
  const natural = Math.max(heading.length, ...cells.map((cell) => widest(cell.split("\n"))));
  const isNumeric = cells.every((cell) => numeric.test(cell));
  const body = cells.map((cell) =>
    isNumeric || cell.length <= wholeUpTo
      ? widest(cell.split("\n"))
      : Math.max(wholeUpTo, longestPiece(cell, wholeUpTo)),
  );
  return { natural, least: Math.max(longestPiece(heading, wholeUpTo), ...body) };
}

const widest = (lines: readonly string[]): number => Math.max(0, ...lines.map((line) => line.length));
const total = (widths: readonly number[]): number =>
  widths.reduce((sum, one) => sum + one, 0) + gap * Math.max(0, widths.length - 1);

/** Indices of the columns of each part: all in one where they fit. */
function partsOf(table: Table, columns: readonly Column[], width: number): number[][] {
  const all = columns.map((_, index) => index);
  const least = (indices: readonly number[]): number =>
    total(indices.map((index) => columns[index]?.least ?? 0));
  if (least(all) <= width) return [all];
  const keys = all.slice(0, keysOf(table));
  const parts: number[][] = [];
  for (const index of all.slice(keys.length)) {
    const last = parts.at(-1);
    if (last && least([...last, index]) <= width) last.push(index);
    else parts.push([...keys, index]);
  }
  return parts;
}

/** How many leading columns name a row: as few as make the rows differ. */
function keysOf([heading = [], ...rows]: Table): number {
  const most = Math.min(mostKeys, heading.length - 1);
  for (let keys = 1; keys < most; keys++)
    if (new Set(rows.map((row) => row.slice(0, keys).join("\n"))).size === rows.length) return keys;
  return most;
}

/** Each column has its least width; what is left goes to the narrowest of those that are broken. */
function widthsOf(columns: readonly Column[], width: number): number[] {
  const naturals = columns.map(({ natural }) => natural);
  if (total(naturals) <= width) return naturals;
  const widths = columns.map(({ least }) => least);
  for (let left = width - total(widths); left > 0; left--) {
    const broken = columns.flatMap(({ natural }, index) => ((widths[index] ?? 0) < natural ? [index] : []));
    const narrowest = broken.toSorted((a, b) => (widths[a] ?? 0) - (widths[b] ?? 0))[0];
    if (narrowest === undefined) break;
    widths[narrowest] = (widths[narrowest] ?? 0) + 1;
  }
  return widths;
}

const breakTo =
  (widths: readonly number[]) =>
  (cell: string, column: number): string[] =>
    breakText(cell, widths[column] ?? cell.length);

function rowLines(cells: readonly (readonly string[])[], widths: readonly number[]): string[] {
  const height = Math.max(1, ...cells.map((lines) => lines.length));
  return Array.from({ length: height }, (_, line) =>
    widths
      .map((width, column) => (cells[column]?.[line] ?? "").padEnd(width))
      .join(" ".repeat(gap))
      .trimEnd(),
  );
}
