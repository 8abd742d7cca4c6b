import { z } from "zod";
import { FailureName } from "../ids.ts";
import { FaultParameters } from "./bounded-json.ts";
import { Concealment, ReportKind } from "./choices.ts";
import { LoadPattern } from "./load.ts";
import { Watch } from "./watch.ts";

/** Most faults that an incident has beside its first one. */
export const mostFurtherFaults = 7;
/** Most cluster time between the first fault of an incident and any other one, s. */
export const mostSecondsBetween = 3600;

/** A problem's full name: its suite with version, and its name there, e.g. `range@1/simple-micro-calm-01`. */
export const ProblemId = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9-]{0,50}@[1-9][0-9]{0,3}\/[A-Za-z0-9][A-Za-z0-9_.-]{0,119}$/,
    "<suite>@<version>/<problem>",
  );

/** A fault that comes and goes, on the cluster's clock: it acts, rests, acts again, until it is removed. */
export const Flap = z.strictObject({
  onSeconds: z.int().min(30).max(300).describe("cluster time for which it acts"),
  offSeconds: z.int().min(20).max(300).describe("cluster time for which it rests"),
});
export type Flap = z.infer<typeof Flap>;

/** A fault that an incident has beside its first one. */
export const FurtherFault = z.strictObject({
  failure: FailureName,
  target: z.string().min(1).describe("what it is injected into"),
  parameters: FaultParameters.optional().describe("absent: the fault's own values"),
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
    .describe("number in the incident of the fault that must act when this one begins; absent: none"),
  flap: Flap.optional().describe("absent: it stays"),
});
export type FurtherFault = z.infer<typeof FurtherFault>;

/** The other faults of an incident, in the order of their times. */
export const FurtherFaults = z.array(FurtherFault).max(mostFurtherFaults);

/** Most noises of one problem. */
export const mostNoises = 10;
/** Most cluster time between a noise and the first fault, s. */
export const mostSecondsAgo = 3600;
/** Most cluster time from the last fault to the question, s. */
export const mostSecondsToQuestion = 600;

/** A harmless oddity that an episode has beside its incident. */
export const PlannedNoise = z.strictObject({
  noise: z.string().min(1).max(63).describe("name of a noise in the catalogue"),
  target: z.string().max(253).default("").describe("the workload that it is on; empty: it is on none"),
  parameters: FaultParameters.optional().describe("absent: the noise's own values"),
  ago: z
    .number()
    .min(-mostSecondsAgo)
    .max(mostSecondsAgo)
    .default(0)
    .describe(
      "cluster time from the noise to the first fault, seconds at least; negative: the noise comes so long after it",
    ),
});
export type PlannedNoise = z.infer<typeof PlannedNoise>;

/** When the agent is asked. */
export const AskedAfter = z
  .number()
  .min(0)
  .max(mostSecondsToQuestion)
  .describe(
    "cluster time from the last fault, or from when it would be, to the question, seconds; it is not asked before the fault is proven",
  );

/** The noises of an episode. */
export const PlannedNoises = z.array(PlannedNoise).max(mostNoises);

/** Limits of a problem's own; those that are absent are the request's. */
export const ProblemLimits = z.strictObject({
  maxAttempts: z.int().min(1).max(20).optional(),
  maxProbes: z.int().min(0).max(100).optional(),
  injectionSeconds: z.int().min(1).max(3600).optional(),
  recoverySeconds: z.int().min(10).max(7200).optional(),
});
export type ProblemLimits = z.infer<typeof ProblemLimits>;

/** What an episode's problem says of it beside its first fault. It wins over the request. */
export const PlannedProblem = z.strictObject({
  id: ProblemId,
  environment: z.string().min(1),
  parameters: FaultParameters.optional().describe("of the first fault; absent: its own values"),
  flap: Flap.optional().describe("of the first fault; absent: it stays"),
  further: FurtherFaults.optional().describe("the incident's other faults; absent: none"),
  noise: PlannedNoises.optional().describe("harmless oddities; absent: none"),
  askedAfter: AskedAfter.optional().describe("absent: as soon as the faults are proven"),
  workload: LoadPattern.optional().describe("load that the system is under; absent: the environment's own"),
  report: ReportKind,
  concealment: Concealment,
  limits: ProblemLimits.optional(),
  watch: Watch.optional().describe("of the task monitoring; absent: the request's"),
});
export type PlannedProblem = z.infer<typeof PlannedProblem>;

/** Values of the parameters of an episode's first fault: its problem's, or its request's. Undefined: the fault's own. */
export function firstParameters(
  { failure, problem }: { readonly failure: string; readonly problem?: PlannedProblem | undefined },
  { parameters: all = {} }: { readonly parameters?: Readonly<Record<string, FaultParameters>> | undefined },
): FaultParameters | undefined {
  if (problem) return problem.parameters;
  return Object.hasOwn(all, failure) ? all[failure] : undefined;
}
