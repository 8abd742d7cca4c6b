import { z } from "zod";
import { LoadPattern } from "../records/load.ts";
import { AskedAfter, PlannedNoises } from "../records/planned-problem.ts";
import { Baseline, InjectionEvidence, OracleVerdict } from "../records/verdict.ts";
import { caseOf, commandKey, defineStage, failed } from "./define-stage.ts";

/** Scheduler to injector: the failure to inject and its target. */
export const InjectCommand = z.strictObject({
  ...commandKey,
  ...caseOf,
  historySeconds: z
    .number()
    .min(0)
    .optional()
    .describe(
      "cluster seconds of the past that the agent sees when it is asked; a little more pass between baseline and injection; absent: from the baseline on",
    ),
  window: z
    .strictObject({
      seconds: z.number().min(1).describe("cluster time until the agent is asked"),
      faultAfter: z
        .number()
        .min(0)
        .nullable()
        .describe("cluster seconds from the window's beginning to the fault; null: none comes in it"),
      passed: z.number().min(0).optional().describe("seconds of the windows before it; absent: none"),
      paceMs: z
        .number()
        .min(0)
        .optional()
        .describe("wall clock that the window takes at least, ms; absent: the first window finds it out"),
      before: z
        .strictObject({ baseline: Baseline, injection: InjectionEvidence })
        .optional()
        .describe("result of the window before; absent: it is the first"),
    })
    .optional()
    .describe("of a watch: the window that passes now; absent: no watch, the fault is injected at once"),
  noise: PlannedNoises.optional().describe("harmless oddities to place; absent: none"),
  askedAfter: AskedAfter.optional().describe("absent: as soon as the faults are proven"),
  workload: LoadPattern.optional().describe("load that the system is under; absent: the environment's own"),
  seed: z.string().describe("seed of this episode's random choices"),
  timeoutSeconds: z.int(),
});
export type InjectCommand = z.infer<typeof InjectCommand>;

/**
 * The stage `inject`. `no-effect`: the failure did not act in time, or its symptom was not measured; the agent is not
 * asked then.
 */
export const inject = defineStage({
  name: "inject",
  state: "prepared",
  service: "injector",
  shard: "cluster",
  changesArena: true,
  title: "InjectCommand",
  command: InjectCommand,
  body: z.discriminatedUnion("status", [
    z.strictObject({
      status: z.literal("ok"),
      baseline: Baseline,
      injection: InjectionEvidence.describe("in a watch without a fault so far that of a control"),
      historyFrom: z
        .number()
        .optional()
        .describe("cluster time, ms: the agent sees nothing of before; absent: from the baseline on"),
      window: z
        .strictObject({
          from: z.number().describe("cluster time of its beginning, ms"),
          to: z.number().describe("cluster time of its end, ms"),
          paceMs: z
            .number()
            .min(0)
            .optional()
            .describe(
              "wall clock that each window of the watch takes at least, ms; absent: as little as it can",
            ),
        })
        .optional()
        .describe("the window of a watch that has passed; absent: no watch"),
    }),
    z.strictObject({
      status: z.literal("no-effect"),
      reason: z.string(),
      baseline: Baseline.nullable(),
      verdict: OracleVerdict.nullable(),
    }),
    failed,
  ]),
  doc: "Measure the baseline, inject the failure, and prove that it has its effect. In a watch: let one window pass, with the failure in it or not.",
});
