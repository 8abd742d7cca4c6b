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

/** What MicroRemed's own rules say of the same measurements, so that numbers compare with published ones. */
export const MicroRemedVerdict = z.strictObject({
  recovered: z.boolean(),
  reason: z.string(),
  measurements: z.array(Measurement),
});
export type MicroRemedVerdict = z.infer<typeof MicroRemedVerdict>;

/** What users saw during one part of an episode. Times are cluster time. */
export const DisruptionPhase = z.strictObject({
  seconds: z.number().describe("how long the part lasted"),
  requests: z.int().describe("requests sent to the entry by the harness's canary, one a second"),
  failed: z.int(),
  slow: z.int().describe("answered, but later than the objective that the healthy system met"),
  violationSeconds: z.number().describe("time in which requests failed or were slow"),
  podsRestarted: z.int().describe("pods of the arena that were replaced or restarted in place"),
});
export type DisruptionPhase = z.infer<typeof DisruptionPhase>;

/** What the episode cost its users, told apart by when it happened. Null: it was not measured, never that it was nil. */
export const Disruption = z.strictObject({
  injection: DisruptionPhase.nullable().describe("from the injection to the start of the first playbook"),
  remedy: DisruptionPhase.nullable().describe("from there to the verdict"),
  mitigatedSeconds: z
    .number()
    .nullable()
    .describe("from the injection until the symptom was first measured to be gone; null: it was not"),
  recoveredSeconds: z
    .number()
    .nullable()
    .describe("from the injection until everything was in order and stayed so; null: it did not"),
});
export type Disruption = z.infer<typeof Disruption>;

/** The strict verdict, the headline: recovered only when every oracle passed, over the whole hold window. */
export const Verdict = z.strictObject({
  recovered: z.boolean(),
  reason: z.string(),
  oracles: z.array(OracleVerdict),
  clusterSeconds: z.number().describe("cluster time that the verification took"),
  microremed: MicroRemedVerdict,
  observation: z.string().describe("what was measured, in words and without any judgement"),
  disruption: Disruption,
});
export type Verdict = z.infer<typeof Verdict>;

/** What the episode left changed, compared with the arena's recorded baseline, the fault's own changes left out. */
export const Damage = z.strictObject({
  changes: z.array(
    z.strictObject({
      where: z
        .enum(["target", "arena", "cluster"])
        .describe("the failed workload, something else of its arena, or something outside of the arena"),
      what: z.enum(["added", "removed", "changed"]),
      object: z.string().describe("kind/name, outside of the arena kind/namespace/name"),
      detail: z.string().describe("fields in words, e.g. limits of container server: cpu 200m -> none"),
    }),
  ),
});
export type Damage = z.infer<typeof Damage>;

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
