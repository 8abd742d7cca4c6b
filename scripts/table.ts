import { markdownTable } from "@microremed/scoring";

type Row = readonly string[];

/** A table of Markdown; cells are Markdown. */
export const table = (heading: Row, rows: readonly Row[]): string => markdownTable([heading, ...rows]);
