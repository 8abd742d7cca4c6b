import { z } from "zod";
import { Mechanism } from "./mechanisms.ts";

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
        namespace: z.string().optional().describe("absent: the system's, or none where the kind has none"),
        field: z.string().describe("path of the field that is wrong; empty: the object itself"),
        wrong: z.string().describe("its value under the fault, in words where it has none"),
        right: z.string().describe("its value without the fault"),
        beside: z
          .literal(true)
          .optional()
          .describe("belongs to the cause, and is none alone: right only beside the cause; absent: a cause"),
      }),
    )
    .describe("what is wrong, the cause first; empty: nothing is"),
  affected: z
    .array(
      z.strictObject({ kind: z.string().describe("Kubernetes' kind, e.g. Deployment"), name: z.string() }),
    )
    .describe("objects whose service suffers: at least the target and its workload; empty: nothing is wrong"),
  mechanism: Mechanism.nullable().describe(
    "how the cause leads to the symptom, of a closed list; null: nothing is wrong",
  ),
  explanation: z.string().describe("the same in one sentence"),
  systemLevel: SystemLevel.nullable().describe("null: nothing is wrong"),
  faultType: FaultType.nullable().describe("null: nothing is wrong"),
});
export type GroundTruth = z.infer<typeof GroundTruth>;

/** What is wrong where an object was deleted, and what is right where one was made. */
export const noSuchObject = "no such object";

/**
 * What is wrong in an incident of several faults; without one, nothing is. The first fault gives mechanism and labels.
 */
export function unionOfTruths(truths: readonly GroundTruth[]): GroundTruth {
  const [first = nothingWrong] = truths;
  return {
    ...first,
    objects: truths.flatMap(({ objects }) => objects),
    affected: onceEach(truths.flatMap(({ affected }) => affected)),
    explanation: truths.map(({ explanation }) => explanation).join("; ") || first.explanation,
  };
}

/** The ground truth of a healthy system. */
export const nothingWrong: GroundTruth = {
  objects: [],
  affected: [],
  mechanism: null,
  explanation: "nothing is wrong",
  systemLevel: null,
  faultType: null,
};

function onceEach<T extends { readonly kind: string; readonly name: string }>(all: readonly T[]): T[] {
  return [...new Map(all.map((one) => [`${one.kind}/${one.name}`, one])).values()];
}
