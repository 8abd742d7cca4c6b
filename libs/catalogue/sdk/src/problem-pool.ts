import {
  FailureName,
  FaultParameters,
  LoadPattern,
  mostFurtherFaults,
  mostNoises,
  mostSecondsBetween,
  mostSecondsToQuestion,
} from "@microremed/contracts";
import { z } from "zod";
import { FlapFormat, shared } from "./problem-parts.ts";

const name = z.string().min(1).max(63);

/** How the faults of an incident are in time. */
const IncidentShape = z.strictObject({
  faults: z
    .int()
    .min(1)
    .max(1 + mostFurtherFaults)
    .default(1)
    .describe("number of faults, each on another target"),
  apart: z
    .number()
    .min(0)
    .max(mostSecondsBetween)
    .default(60)
    .describe("cluster time from one fault to the next, seconds"),
  cascade: z.boolean().default(false).describe("each further fault begins only while the one before it acts"),
  flap: FlapFormat.optional().describe("the faults come and go; default: they stay"),
});
/** How the faults of an incident are in time. */
export type IncidentShape = z.infer<typeof IncidentShape>;

const usualLoad = "usual";

/**
 * The format of a pool: what problems are drawn from. Every property of a problem is drawn by itself, each of its values
 * as often as any other, so that none predicts another.
 */
export const ProblemPool = z.strictObject({
  environments: z.array(name).min(1).max(100),
  each: z.int().min(1).max(1000).describe("problems of each task in each environment"),
  healthy: z.int().min(0).max(1000).default(0).describe("so many of `each` in which nothing is wrong"),
  faults: z
    .record(
      z.string().regex(/^[a-z0-9-]{1,30}$/, "lower-case letters, digits and dashes"),
      z.array(FailureName).min(1).max(200),
    )
    .default({})
    .describe("name of a group -> its faults: each group is as frequent, and in it each fault"),
  parameters: z
    .record(FailureName, z.array(FaultParameters).min(1).max(100))
    .default({})
    .describe("fault -> sets of its parameters; {}: its own values. A fault that is not named has its own"),
  incidents: z
    .array(IncidentShape)
    .min(1)
    .max(100)
    .default([{ faults: 1, apart: 60, cascade: false }])
    .describe("how faults are in time; default: one that stays"),
  loads: z
    .array(
      z.union(
        [z.literal(usualLoad), LoadPattern],
        `"${usualLoad}" (the environment's own) or a load as in \`workload\``,
      ),
    )
    .min(1)
    .max(100)
    .default([usualLoad]),
  noises: z.array(name).max(100).default([]).describe("names of noises"),
  noisesEach: z
    .array(z.int().min(0).max(mostNoises))
    .min(1)
    .max(100)
    .default([0])
    .describe("how many noises a problem has"),
  standIns: z
    .array(name)
    .max(100)
    .default([])
    .describe(
      "names of noises: where nothing is wrong, one is in the place of each fault; a fault that no change log shows has one beside it",
    ),
  ago: z
    .tuple([z.int().min(0).max(mostSecondsToQuestion), z.int().min(0).max(mostSecondsToQuestion)])
    .refine(([from, to]) => from <= to, "the lower one first")
    .default([0, 120])
    .describe(
      "bounds of how long ago noises were, and the last fault, when the agent is asked, seconds: a fault is no fresher than what is harmless",
    ),
  ...shared,
});
export type ProblemPool = z.infer<typeof ProblemPool>;

/** The load of a pool's item; undefined: the environment's own. */
export function loadOf(item: ProblemPool["loads"][number]): LoadPattern | undefined {
  return item === usualLoad ? undefined : item;
}
