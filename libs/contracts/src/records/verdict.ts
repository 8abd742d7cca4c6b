import { z } from "zod";
import { FailureName, noFailure } from "../ids.ts";
import { Concealment } from "./choices.ts";
import { Change } from "./damage.ts";
import { LoadOrder } from "./load.ts";

/** One number that an oracle or injection check used. */
export const Measurement = z.strictObject({
  name: z.string().describe("measured quantity, e.g. cpu usage of cartservice-abc/server"),
  value: z.number().nullable().describe("null: it could not be measured, which fails the oracle"),
  unit: z.string(),
  threshold: z.number().nullable().describe("the value that it was compared with"),
  at: z.number().describe("cluster time, ms since the epoch"),
});
export type Measurement = z.infer<typeof Measurement>;

/**
 * What one oracle found, with every number that it used. A null among its measurements could not be measured, and the
 * check did not pass.
 */
export const OracleVerdict = z.strictObject({
  oracle: z.string(),
  passed: z.boolean(),
  reason: z.string().describe("the reason, in words"),
  measurements: z.array(Measurement),
});
export type OracleVerdict = z.infer<typeof OracleVerdict>;

/** The verdict of the published rules on the same measurements, so that numbers compare with published ones. */
export const MicroRemedVerdict = z.strictObject({
  recovered: z.boolean(),
  reason: z.string(),
  measurements: z.array(Measurement),
});
export type MicroRemedVerdict = z.infer<typeof MicroRemedVerdict>;

/**
 * What users saw during one part of an episode, in cluster time. Null: the environment's programs report no requests,
 * never that there were none.
 */
export const DisruptionPhase = z.strictObject({
  seconds: z.number().describe("how long the part lasted"),
  requests: z
    .number()
    .nullable()
    .describe("requests that the entry would have received at the baseline's rate"),
  failed: z.number().nullable().describe("requests of these that failed or were never made"),
  slow: z
    .number()
    .nullable()
    .describe("requests of these that were answered later than the healthy system's objective"),
  violationSeconds: z
    .number()
    .nullable()
    .describe("failed and slow requests, in seconds of the baseline's rate"),
  podsRestarted: z.int().describe("pods of the arena that were replaced or restarted in place"),
});
export type DisruptionPhase = z.infer<typeof DisruptionPhase>;

/** What the episode cost its users, each part by when it happened. */
export const Disruption = z.strictObject({
  injection: DisruptionPhase.describe("from just before the injection to the start of the first playbook"),
  remedy: DisruptionPhase.nullable().describe("from there to the verdict; null: no playbook was run"),
  mitigatedSeconds: z
    .number()
    .nullable()
    .describe("from the injection until the symptom was gone; null: it never was"),
  recoveredSeconds: z
    .number()
    .nullable()
    .describe("from the injection until the system recovered for good; null: it did not"),
});
export type Disruption = z.infer<typeof Disruption>;

/** The strict verdict, the headline: recovered only when every oracle passed, over the whole hold window. */
export const Verdict = z.strictObject({
  recovered: z.boolean(),
  reason: z.string(),
  oracles: z.array(OracleVerdict),
  clusterSeconds: z.number().describe("cluster time that the verification took"),
  microremed: MicroRemedVerdict.nullable().describe(
    "the published rules' verdict; null: these rules have no check for this fault",
  ),
  observation: z.string().describe("the measurements in words, without a verdict"),
  disruption: Disruption,
  clean: z
    .boolean()
    .nullish()
    .describe("recovered, and nothing left worse than before; null or absent: not asked"),
  changes: z.array(Change).optional().describe("how the arena departs from its record; absent: not compared"),
  relapsedAfterSeconds: z
    .number()
    .nullish()
    .describe("cluster time from the recovery until it was found gone in the soak; null or absent: it held"),
});
export type Verdict = z.infer<typeof Verdict>;

/** One edge of the call graph, and its requests while the system was healthy. */
export const EdgeBaseline = z.strictObject({
  edge: z
    .string()
    .describe(
      "`<workload>` for requests that it serves, `<workload> -> <address>` for requests that it sends",
    ),
  perSecond: z.number().describe("requests"),
  success: z.number().min(0).max(1).describe("share of requests without an error"),
  p95Ms: z.number().describe("upper bound of the histogram bucket with the 95th percentile"),
});
export type EdgeBaseline = z.infer<typeof EdgeBaseline>;

/** Counts of the entry's requests since its programs started, at one moment. */
export const RequestReading = z.strictObject({
  at: z.number().describe("cluster time, ms"),
  good: z.number().describe("answered without an error and in time"),
  failed: z.number(),
  slow: z.number().describe("answered without an error, but late"),
});
export type RequestReading = z.infer<typeof RequestReading>;

/** How the arena was before the injection; oracles compare with it. Per key a number with its unit in the key's name. */
export const Baseline = z.strictObject({
  takenAt: z.number().describe("cluster time, ms"),
  values: z.record(z.string(), z.number()),
  edges: z
    .array(EdgeBaseline)
    .optional()
    .describe("requests of the whole call graph; absent: the environment's programs report none"),
  load: LoadOrder.optional().describe(
    "what the load follows from then on, times the rates of `edges`; it was at its highest when they were measured; absent: it stays as it was",
  ),
});
export type Baseline = z.infer<typeof Baseline>;

const proof = {
  injectedAt: z.number().describe("cluster time, ms"),
  expiresAt: z
    .number()
    .nullable()
    .describe("cluster time at which the fault would end by itself; null: never"),
  verdict: OracleVerdict.describe("passed: the symptom departs from the baseline"),
  nodes: z
    .array(z.string())
    .optional()
    .describe("nodes of the affected pods; absent: not relevant to the fault"),
  otherNodes: z
    .int()
    .min(0)
    .optional()
    .describe(
      "other nodes that the workload's new pods could be put on; absent: not relevant, or not counted",
    ),
};

/** Proof that a further fault of an incident was there, and what was measured before. */
export const FurtherEvidence = z.strictObject({
  failure: FailureName,
  target: z.string(),
  baseline: Baseline,
  ...proof,
});
export type FurtherEvidence = z.infer<typeof FurtherEvidence>;

/** Proof that the failure was there: the injector's own state and the measured symptom. */
export const InjectionEvidence = z.strictObject({
  ...proof,
  requests: RequestReading.optional().describe(
    "requests of the entry before the injection; absent: not measured",
  ),
  concealment: Concealment.optional().describe("as it was in effect; absent: as the request says"),
  askedFrom: z
    .number()
    .optional()
    .describe("cluster time, ms, from which on the agent could be asked; absent: as soon as all was proven"),
  further: z
    .array(FurtherEvidence)
    .optional()
    .describe("of the incident's other faults, in their order; absent: it has none"),
});
export type InjectionEvidence = z.infer<typeof InjectionEvidence>;

/** Whether anything was injected: in a control, and in a watch before its fault, nothing was. */
export function isInjected(injection: Pick<InjectionEvidence, "verdict"> | null): boolean {
  return injection !== null && injection.verdict.oracle !== noFailure;
}
