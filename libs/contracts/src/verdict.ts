import { z } from "zod";

/** One number that an oracle or injection check used. */
export const Measurement = z.strictObject({
  name: z.string().describe("what was measured, e.g. cpu usage of cartservice-abc/server"),
  value: z.number().nullable().describe("null: it could not be measured, which is never good news"),
  unit: z.string(),
  threshold: z.number().nullable().describe("what it was compared with"),
  at: z.number().describe("cluster time, ms since the epoch"),
});
export type Measurement = z.infer<typeof Measurement>;

/** What one oracle found. */
export const OracleVerdict = z.strictObject({
  oracle: z.string(),
  passed: z.boolean(),
  reason: z.string().describe("why, in words"),
  measurements: z.array(Measurement),
});
export type OracleVerdict = z.infer<typeof OracleVerdict>;

/** The verdict over all oracles of a fault: recovered only when every one passed, over the whole hold window. */
export const Verdict = z.strictObject({
  recovered: z.boolean(),
  reason: z.string(),
  oracles: z.array(OracleVerdict),
  clusterSeconds: z.number().describe("cluster time that the verification took"),
});
export type Verdict = z.infer<typeof Verdict>;

/** What the arena looked like before the injection; oracles compare with it. Per key a number with its unit in the key's name. */
export const Baseline = z.strictObject({
  takenAt: z.number().describe("cluster time, ms"),
  values: z.record(z.string(), z.number()),
});
export type Baseline = z.infer<typeof Baseline>;

/** Proof that the failure was there: the injector's own state and the measured symptom. */
export const InjectionEvidence = z.strictObject({
  injectedAt: z.number().describe("cluster time, ms"),
  expiresAt: z
    .number()
    .nullable()
    .describe("cluster time at which the fault would end by itself; null: never"),
  verdict: OracleVerdict.describe("passed: the symptom departs from the baseline"),
});
export type InjectionEvidence = z.infer<typeof InjectionEvidence>;
