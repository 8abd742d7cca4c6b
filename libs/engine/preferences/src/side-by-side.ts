import { breakText } from "@microremed/scoring";
import { diffArrays } from "diff";

/** Between the columns, for lines that are the same, differ, or are there on one side alone. */
const marks = { same: "   ", differs: " | ", left: " < ", right: " > " } as const;

/** Narrower columns cannot be read, characters. */
const leastColumn = 16;

/**
 * Two texts beside one another in lines of at most `width` characters, lines that are the same at the same height. `|` is between
 * lines that differ, `<` and `>` beside a line that only the left or the right text has.
 */
export function sideBySide(left: string, right: string, width: number): string {
  const column = Math.max(leastColumn, Math.floor((width - marks.same.length) / 2));
  return rowsOf(left.trimEnd().split("\n"), right.trimEnd().split("\n"))
    .flatMap(([one, other, mark]) => {
      const [a, b] = [breakText(one ?? "", column), breakText(other ?? "", column)];
      return Array.from({ length: Math.max(a.length, b.length) }, (_, at) =>
        `${(a[at] ?? "").padEnd(column)}${mark}${b[at] ?? ""}`.trimEnd(),
      );
    })
    .join("\n");
}

type Row = readonly [string | undefined, string | undefined, string];

/** A line that only one side has is beside one that only the other has, at the same place. */
function rowsOf(left: string[], right: string[]): Row[] {
  const rows: Row[] = [];
  let removed: string[] = [];
  const flush = (added: readonly string[]): void => {
    for (let at = 0; at < Math.max(removed.length, added.length); at++) {
      const [one, other] = [removed[at], added[at]];
      rows.push([
        one,
        other,
        one === undefined ? marks.right : other === undefined ? marks.left : marks.differs,
      ]);
    }
    removed = [];
  };
  for (const { value, added, removed: isRemoved } of diffArrays(left, right)) {
    if (isRemoved) removed = value;
    else if (added) flush(value);
    else {
      flush([]);
      for (const line of value) rows.push([line, line, marks.same]);
    }
  }
  flush([]);
  return rows;
}
