import { z } from "zod";
import type { Entry, Unmarked } from "./entry.ts";
import { mostProblems, ProblemDefaults, ProblemFormat, ProblemRule } from "./problem.ts";
import { ProblemPool } from "./problem-pool.ts";

/** Most cases of one suite. */
const mostCases = 100_000;
const faultName = z.string().min(1).max(63);

/** Whether the values that faults set are drawn, or the faults' own. */
const SuiteValues = z.enum(["drawn", "own"]);

/** The format of a suite's `suite.yaml`: a list of cases, what numbered draws are made from, or problems. */
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
  problems: z
    .array(ProblemFormat)
    .max(mostProblems)
    .optional()
    .describe("problems, in the order in which they are run; files in `problems/` follow, by name"),
  rules: z.array(ProblemRule).max(1000).optional().describe("problems that are made by rule, after those"),
  pools: z
    .array(ProblemPool)
    .max(1000)
    .optional()
    .describe("what further problems are drawn from; they are in a drawn order, after all others"),
  defaults: ProblemDefaults.optional().describe("what problems, rules and pools leave out"),
  values: SuiteValues.optional().describe(
    "drawn: what a problem's faults set is drawn from its seed where the problem does not say it (default); own: each fault has its own values",
  ),
  elsewhere: z
    .boolean()
    .optional()
    .describe(
      "the problems are another benchmark's: what is missing here of one is listed, and is no error of the suite",
    ),
});
export type SuiteFormat = z.infer<typeof SuiteFormat>;

/** A named, versioned list of problems. What `name@1` means never changes: a changed list is `name@2`. */
export interface Suite extends Entry<"suite"> {
  readonly description: string;
  /** Faults in the order in which they are run; empty: it is one to draw from, or one of problems. */
  readonly cases: readonly string[];
  /** Faults to draw from; empty: it has cases or problems. */
  readonly draw: readonly string[];
  /** In the order in which they are run; those of the folder's files follow. */
  readonly problems: readonly ProblemFormat[];
  /** What further problems are made from. */
  readonly rules: readonly ProblemRule[];
  /** What further problems are drawn from. */
  readonly pools: readonly ProblemPool[];
  /** What problems, rules and pools leave out. */
  readonly defaults: ProblemDefaults;
  /** Where the values come from that its problems' faults set, and the problems do not say. */
  readonly values: z.infer<typeof SuiteValues>;
  /** Whether they are another benchmark's, so that something may be missing here. */
  readonly elsewhere: boolean;
}

/** Declares a suite. A `suite.yaml` of the same fields does the same. */
export function defineSuite(
  suite: Pick<Unmarked<Suite>, "name" | "description"> & Partial<z.input<typeof SuiteFormat>>,
): Suite {
  const {
    name,
    description,
    cases = [],
    draw = [],
    problems,
    rules,
    pools,
    defaults = {},
    values = "drawn",
    elsewhere = false,
  } = suite;
  return {
    entry: "suite",
    name,
    description,
    cases,
    draw,
    problems: z.array(ProblemFormat).parse(problems ?? []),
    rules: z.array(ProblemRule).parse(rules ?? []),
    pools: z.array(ProblemPool).parse(pools ?? []),
    defaults: ProblemDefaults.parse(defaults),
    values,
    elsewhere,
  };
}
