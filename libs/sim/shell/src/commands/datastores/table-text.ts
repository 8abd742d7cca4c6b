interface Rows {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** Rows as MySQL's client prints them: tabs for programs, boxes for people, one field a line. */
export function tableOf(
  { columns, rows }: Rows,
  { withNames, form }: { readonly withNames: boolean; readonly form: "tabs" | "table" | "vertical" },
): string {
  if (form === "tabs") {
    const lines = withNames ? [columns, ...rows] : rows;
    return lines.map((row) => `${row.join("\t")}\n`).join("");
  }
  if (form === "vertical") {
    const width = Math.max(...columns.map(({ length }) => length));
    const stars = "*".repeat(27);
    return rows
      .map((row, index) => {
        const fields = row.map((value, at) => `${(columns[at] ?? "").padStart(width)}: ${value}\n`);
        return `${stars} ${index + 1}. row ${stars}\n${fields.join("")}`;
      })
      .join("");
  }
  const all = withNames ? [columns, ...rows] : rows;
  const widths = columns.map((_, at) => Math.max(...all.map((row) => (row[at] ?? "").length)));
  const rule = `+${widths.map((width) => "-".repeat(width + 2)).join("+")}+\n`;
  const line = (row: readonly string[]): string =>
    `|${widths.map((width, at) => ` ${(row[at] ?? "").padEnd(width)} `).join("|")}|\n`;
  const head = withNames ? rule + line(columns) : "";
  return `${head}${rule}${rows.map(line).join("")}${rule}`;
}
