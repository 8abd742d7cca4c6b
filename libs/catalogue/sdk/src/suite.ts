import { z } from "zod";
import type { Entry, Unmarked } from "./entry.ts";

/** Most cases of one suite. */
const mostCases = 100_000;
const faultName = z.string().min(1).max(63);

/** The format of a suite's `suite.yaml`: a list of cases, or what numbered draws are made from. */
export const SuiteFormat = z.strictObject({
  name: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,50}@[1-9][0-9]{0,3}$/, "<name>@<version>, e.g. nightly@1")
    .describe("name and version; what a version means never changes"),
  description: z.string().min(1).describe("one sentence"),
  source: z.string().optional().describe("where the list comes from"),
  cases: z
    .array(faultName)
    .min(1)
    .max(mostCases)
    .optional()
    .describe("faults in the order in which they are run"),
  draw: z
    .array(faultName)
    .min(1)
    .max(1000)
    .optional()
    .describe("faults from which {random: N} draws, in this order; those without a target are left out"),
});
export type SuiteFormat = z.infer<typeof SuiteFormat>;

/** A named, versioned list of problems. What `name@1` means never changes: a changed list is `name@2`. */
export interface Suite extends Entry<"suite"> {
  readonly description: string;
  /** Faults in the order in which they are run; empty: it is one to draw from. */
  readonly cases: readonly string[];
  /** Faults to draw from; empty: it has cases. */
  readonly draw: readonly string[];
}

/** Declares a suite. A `suite.yaml` of the same fields does the same. */
export function defineSuite(
  suite: Pick<Unmarked<Suite>, "name" | "description"> & Partial<Unmarked<Suite>>,
): Suite {
  return { cases: [], draw: [], ...suite, entry: "suite" };
}
