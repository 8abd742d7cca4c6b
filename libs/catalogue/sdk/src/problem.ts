import {
  AskedAfter,
  FailureName,
  FaultParameters,
  LoadPattern,
  mostFurtherFaults,
  mostNoises,
  mostSecondsAgo,
  mostSecondsBetween,
  type ProblemLimits,
  type Watch,
} from "@microremed/contracts";
import { z } from "zod";
import { FlapFormat, type HeldOut, type Information, shared } from "./problem-parts.ts";

/** Most problems of one suite, those made by rules included. */
export const mostProblems = 10_000;

const name = z.string().min(1).max(63);

/** A fault of an incident, as its author writes it. */
export const IncidentFault = z.strictObject({
  fault: FailureName.describe("name of a fault in the catalogue"),
  target: z.string().min(1).max(253).describe("one of the fault's possible targets in the environment"),
  parameters: FaultParameters.optional().describe("default: the fault's own values"),
  at: z
    .number()
    .min(0)
    .max(mostSecondsBetween)
    .default(0)
    .describe("cluster time from the first fault, or from that of `after`, to this one, seconds"),
  after: z
    .int()
    .min(0)
    .max(mostFurtherFaults)
    .optional()
    .describe("number in the incident, from 0, of an earlier fault that must act when this one begins"),
  flap: FlapFormat.optional().describe("it comes and goes; default: it stays"),
});
export type IncidentFault = z.infer<typeof IncidentFault>;

/** A harmless oddity of a problem, as its author writes it. */
export const ProblemNoise = z.strictObject({
  noise: name.describe("name of a noise in the catalogue"),
  target: z
    .string()
    .min(1)
    .max(253)
    .optional()
    .describe("the workload that it is on; default: drawn from those that it may be on and no fault is on"),
  parameters: FaultParameters.optional().describe("default: the noise's own values"),
  ago: z
    .number()
    .min(-mostSecondsAgo)
    .max(mostSecondsAgo)
    .default(60)
    .describe(
      "cluster time from the noise to the first fault, seconds at least; negative: the noise comes so long after it. In a watch to its beginning",
    ),
});
export type ProblemNoise = z.infer<typeof ProblemNoise>;

const Noises = z.array(ProblemNoise).max(mostNoises);

const common = {
  ...shared,
  noise: Noises.optional().describe("harmless oddities, which are no incident; default: none"),
  askedAfter: AskedAfter.optional().describe(
    "cluster time from the last fault, or from when it would be, to the question, seconds; default: as soon as the faults are proven",
  ),
  workload: LoadPattern.optional().describe("load that the system is under; default: the environment's own"),
};

/** The format of one problem: an item of `problems` in a `suite.yaml`, or a file of its own beside it. */
export const ProblemFormat = z.strictObject({
  id: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,119}$/, "letters, digits, dots, dashes and underscores, at most 120")
    .describe("unique in its suite; it keeps its meaning for ever"),
  title: z.string().min(1).max(200).optional().describe("one sentence; default: made from the incident"),
  environment: name.describe("name of an environment in the catalogue"),
  incident: z
    .array(IncidentFault)
    .max(1 + mostFurtherFaults)
    .describe("what fails, in the order of the times; empty: nothing is wrong"),
  ...common,
  note: z
    .string()
    .min(1)
    .max(1000)
    .optional()
    .describe("how it differs from the problem of the same name elsewhere"),
  never: z
    .string()
    .min(1)
    .max(1000)
    .optional()
    .describe("why it can never run here: what it is about is no system on Kubernetes"),
});
export type ProblemFormat = z.infer<typeof ProblemFormat>;

/** How `tasks` of a rule become problems. */
const TaskSpread = z.enum(["together", "each", "in-turn"]);

/** The format of a rule: every fault on every target in every environment, and healthy systems. */
export const ProblemRule = z.strictObject({
  environments: z.array(name).min(1).max(100),
  faults: z.array(FailureName).max(200).default([]),
  targets: z
    .array(z.string().min(1).max(253))
    .min(1)
    .max(1000)
    .optional()
    .describe("default: all that each fault may have"),
  mostTargets: z
    .int()
    .min(1)
    .max(1000)
    .optional()
    .describe("so many of each fault's targets, evenly from the environment's list"),
  strengths: z
    .record(
      z.string().regex(/^[a-z0-9-]{1,30}$/, "lower-case letters, digits and dashes"),
      z.record(FailureName, FaultParameters),
    )
    .optional()
    .describe(
      "name of a strength -> fault -> its parameters; a fault that a strength does not name has its own values",
    ),
  healthy: z
    .int()
    .min(0)
    .max(1000)
    .default(0)
    .describe("problems of each environment in which nothing is wrong"),
  noises: z
    .array(Noises)
    .min(1)
    .max(100)
    .optional()
    .describe("lists of noises, for the problems in turn before `spread`; an empty list: none"),
  spread: TaskSpread.default("each").describe(
    "together: each problem has all tasks; each: a problem for each task; in-turn: one task each, in turn",
  ),
  ...common,
});
export type ProblemRule = z.infer<typeof ProblemRule>;

/** What the problems and rules of a suite leave out. */
export const ProblemDefaults = z.strictObject(common);
export type ProblemDefaults = z.infer<typeof ProblemDefaults>;

/** One problem: task and context. Its solution follows from the ground truth of its incident's faults. */
export interface Problem {
  /** `<suite>@<version>/<problem>`. */
  readonly id: string;
  readonly suite: string;
  readonly title: string;
  readonly environment: string;
  /** Empty: nothing is wrong. */
  readonly incident: readonly IncidentFault[];
  /** What its faults set and the incident does not say is drawn from the request's seed. Absent: each fault has its own values. */
  readonly drawnValues?: true;
  readonly tasks: readonly string[];
  readonly information: Information;
  readonly limits: ProblemLimits;
  /** Of the task monitoring; absent: the request's. */
  readonly watch?: Watch;
  readonly noise: readonly ProblemNoise[];
  /** Cluster time from the last fault, or from when it would be, to the question, s; absent: the faults are proven, no more. */
  readonly askedAfter?: number;
  /** Load that the system is under; absent: the environment's own. */
  readonly workload?: LoadPattern;
  readonly heldOut: readonly HeldOut[];
  /** How it differs from the problem of the same name elsewhere; null: not at all, or there is none. */
  readonly note: string | null;
  /** What it lacks here, a sentence each. Empty: it can be run. */
  readonly missing: readonly string[];
}

/** Declares a problem in a file of its own in a suite's folder `problems/`. A YAML file of the same fields does the same. */
export function defineProblem(problem: z.input<typeof ProblemFormat>): z.input<typeof ProblemFormat> {
  return problem;
}
