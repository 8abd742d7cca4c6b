/** Of a row the fault and its strength. */
type Row = readonly string[];

const isSame = (one: Row, other: Row): boolean => one[0] === other[0] && one[1] === other[1];

/**
 * The rows of a page's table with one more, or with it in the place of the one that was there. `known`: fault and strength of all that
 * there are, in their order; the row of any other is left out.
 */
export function withRow(page: string, row: Row, known: readonly Row[]): readonly Row[] {
  const rows = [...page.matchAll(/^\| (`.*) \|$/gm)].map(([, cells = ""]) => cells.split(" | "));
  const all = [...rows.filter((one) => !isSame(one, row)), row];
  return known.flatMap((one) => all.filter((other) => isSame(other, one)));
}
