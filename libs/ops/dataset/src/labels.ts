import { GroundTruth } from "@microremed/catalogue";
import { LoadPattern } from "@microremed/contracts";
import { z } from "zod";
import { parts } from "./dataset.types.ts";

const Stretch = z.strictObject({
  label: z.enum(["fault-free", "faulty", "after"]).describe("after: every fault has ended by itself"),
  from: z.number(),
  to: z.number(),
});

const Fault = z.strictObject({
  fault: z.string(),
  target: z.string(),
  parameters: z.record(z.string(), z.unknown()).describe("all of them, with the defaults that were not set"),
  service: z.string().describe("workload at which the cause is"),
  injectedAt: z.number(),
  expiresAt: z.number().nullable().describe("when the fault ends by itself; null: it does not"),
});

/** What is known of a case: the answer to every question about it. Times are cluster time, ms since the epoch. */
export const CaseLabels = z.strictObject({
  version: z.literal(1),
  index: z.int(),
  part: z.enum(parts),
  folder: z.string().describe("in the data set"),
  environment: z.string(),
  clusterSeed: z.string(),
  stepSeconds: z.number(),
  incident: Fault.nullable().describe("the first fault; null: nothing is wrong"),
  further: z.array(Fault).optional().describe("the other faults, in the order of their times; absent: none"),
  windows: z.array(Stretch).describe("in order and without gaps"),
  truth: GroundTruth.describe("of all faults; mechanism and labels are those of the first"),
  truths: z.array(GroundTruth).describe("of each fault, in their order; empty: nothing is wrong"),
  load: z
    .strictObject({ amplitude: z.number(), periodSeconds: z.number() })
    .describe("the course of the load: mean rate x (1 + amplitude x sine)"),
  workload: z
    .strictObject({
      pattern: LoadPattern,
      origin: z.number().describe("cluster time, ms, from which its times count"),
    })
    .optional()
    .describe("load of the suite's problem, times that course; absent: none"),
  replaced: z.array(z.string()).describe("incidents that had no effect here, with the reason"),
  left: z.strictObject({ pods: z.int(), traces: z.int(), lines: z.int() }).describe("what did not fit"),
});
export type CaseLabels = z.infer<typeof CaseLabels>;
