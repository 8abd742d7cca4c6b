import { GroundTruth } from "@microremed/catalogue";
import { z } from "zod";
import { parts } from "./dataset.types.ts";

const Stretch = z.strictObject({
  label: z.enum(["fault-free", "faulty", "after"]).describe("after: the fault has ended by itself"),
  from: z.number(),
  to: z.number(),
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
  incident: z
    .strictObject({
      fault: z.string(),
      target: z.string(),
      parameters: z.record(z.string(), z.unknown()).nullable(),
      service: z.string().describe("workload at which the cause is"),
      injectedAt: z.number(),
      expiresAt: z.number().nullable().describe("when the fault ends by itself; null: it does not"),
    })
    .nullable()
    .describe("null: nothing is wrong"),
  windows: z.array(Stretch).describe("in order and without gaps"),
  truth: GroundTruth,
  load: z
    .strictObject({ amplitude: z.number(), periodSeconds: z.number() })
    .describe("the course of the load: mean rate x (1 + amplitude x sine)"),
  replaced: z.array(z.string()).describe("incidents that had no effect here, with the reason"),
  left: z.strictObject({ pods: z.int(), traces: z.int(), lines: z.int() }).describe("what did not fit"),
});
export type CaseLabels = z.infer<typeof CaseLabels>;
