import { z } from "zod";

/** The layer of the cause, with AIOpsLab's labels. */
export const SystemLevel = z.enum(["Hardware", "Operating System", "Virtualization", "Application"]);
export type SystemLevel = z.infer<typeof SystemLevel>;

/** The nature of the cause, as AIOpsLab labels it. */
export const FaultType = z.enum([
  "Misconfiguration",
  "Code Defect",
  "Authentication Issue",
  "Network/Storage Issue",
  "Operation Error",
  "Dependency Problem",
]);
export type FaultType = z.infer<typeof FaultType>;

/** What is wrong in an incident: the answer to every question about it. */
export const GroundTruth = z.strictObject({
  objects: z
    .array(
      z.strictObject({
        kind: z.string().describe("Kubernetes' kind, e.g. Deployment"),
        name: z.string(),
        field: z.string().describe("path of the field that is wrong; empty: the object itself"),
        wrong: z.string().describe("its value under the fault, in words where it has none"),
        right: z.string().describe("its value without the fault"),
      }),
    )
    .describe("what is wrong, the cause first; empty: nothing is"),
  affected: z
    .array(
      z.strictObject({ kind: z.string().describe("Kubernetes' kind, e.g. Deployment"), name: z.string() }),
    )
    .describe("objects whose service suffers: at least the target and its workload; empty: nothing is wrong"),
  mechanism: z.string().describe("one sentence: how the cause leads to the symptom"),
  systemLevel: SystemLevel.nullable().describe("null: nothing is wrong"),
  faultType: FaultType.nullable().describe("null: nothing is wrong"),
});
export type GroundTruth = z.infer<typeof GroundTruth>;
