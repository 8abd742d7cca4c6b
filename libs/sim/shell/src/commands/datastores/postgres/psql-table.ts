import type { Selected } from "./run-select.ts";
import { textOf } from "./sql-values.ts";

/** How psql prints rows. */
export interface TableForm {
  /** `-t`: rows alone. */
  readonly isBare: boolean;
  /** `-A`: without padding; `separator` between the fields. */
  readonly isUnaligned: boolean;
  readonly separator: string;
  /** `-x`: a field a line. */
  readonly isExpanded: boolean;
}

/** Rows as psql prints them. */
export function psqlTable({ columns, rows }: Selected, form: TableForm): string {
  const texts = rows.map((row) => row.map(textOf));
  const count = `(${texts.length} ${texts.length === 1 ? "row" : "rows"})\n`;
  if (form.isExpanded) return expanded(columns, texts);
  if (form.isUnaligned) {
    const lines = (form.isBare ? texts : [columns, ...texts]).map((row) => `${row.join(form.separator)}\n`);
    return lines.join("") + (form.isBare ? "" : count);
  }
  const widths = columns.map((column, i) =>
    Math.max(column.length, ...texts.map((row) => row[i]?.length ?? 0)),
  );
  const isNumber = columns.map((_, i) => rows.every((row) => typeof row[i] === "number"));
  const line = (row: readonly string[], of = isNumber): string =>
    row
      .map((text, i) => ` ${of[i] ? text.padStart(widths[i] ?? 0) : text.padEnd(widths[i] ?? 0)} `)
      .join("|");
  const head = columns.map((column, i) => {
    const room = (widths[i] ?? 0) - column.length;
    return column.padStart(column.length + Math.floor(room / 2)).padEnd(widths[i] ?? 0);
  });
  const rule = widths.map((width) => "-".repeat(width + 2)).join("+");
  const body = texts.map((row) => `${line(row).trimEnd()}\n`).join("");
  if (form.isBare) return `${body}\n`;
  return `${line(head, [])}\n${rule}\n${body}${count}\n`;
}

function expanded(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const width = Math.max(...columns.map(({ length }) => length));
  return rows
    .map((row, i) => {
      const fields = columns.map((column, at) => `${column.padEnd(width)} | ${row[at] ?? ""}\n`);
      return `-[ RECORD ${i + 1} ]${"-".repeat(width)}\n${fields.join("")}`;
    })
    .join("");
}
