import { wrongValues } from "@microremed/contracts";
import type { z } from "zod";

/** What has not the shape that was expected of it. */
export interface Misshapen {
  readonly error: z.core.$ZodError;
  /** What was read. */
  readonly value: unknown;
  readonly schema: z.ZodType;
  /** A place in it, empty for all of it, as messages name it. */
  readonly at: (field: string) => string;
}

/** Other places of one mistake that a message names. */
const mostNamed = 2;

/** What has not its format's shape, a line for each mistake: an anchor brings one to several places. */
export function shapeProblems({ error, value, schema, at }: Misshapen): string[] {
  const mistakes = Map.groupBy(
    wrongValues(error, value, schema),
    ({ field, expected }) => `${field.replace(/^.*\./, "")} ${expected}`,
  );
  return [...mistakes.values()].map(([first, ...others]) => {
    const { field, expected } = first ?? { field: "", expected: "" };
    return `${at(field)}: expected ${expected}${likewise(others.map((one) => one.field))}`;
  });
}

/** A field of the value of a place, or all of it. */
export const placeIn = (place: string, field: string): string =>
  [place, field].filter((one) => one !== "").join(".");

/** Where a mistake is, too; empty: nowhere else. */
export function likewise(others: readonly string[]): string {
  if (others.length === 0) return "";
  const named = others.slice(0, mostNamed);
  const left = others.length - named.length;
  return ` (likewise in ${named.join(" and ")}${left > 0 ? ` and ${left} more` : ""})`;
}
