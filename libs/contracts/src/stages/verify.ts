import { z } from "zod";
import { Persistence } from "../records/choices.ts";
import { Baseline, InjectionEvidence, Verdict } from "../records/verdict.ts";
import { caseOf, commandKey, defineStage, failed } from "./define-stage.ts";

export const VerifyCommand = z.strictObject({
  ...commandKey,
  ...caseOf,
  baseline: Baseline,
  injection: InjectionEvidence,
  persistence: Persistence.optional().describe("absent: once"),
  remedyAt: z
    .number()
    .nullable()
    .describe("cluster time, ms, at which the first playbook was started; null: unknown"),
  timeoutSeconds: z.int(),
});
export type VerifyCommand = z.infer<typeof VerifyCommand>;

export const verify = defineStage({
  name: "verify",
  state: "verifying",
  service: "verifier",
  shard: "cluster",
  title: "VerifyCommand",
  command: VerifyCommand,
  body: z.discriminatedUnion("status", [
    z.strictObject({ status: z.literal("ok"), verdict: Verdict }),
    failed,
  ]),
  doc: "Run the failure's oracles until they hold or the deadline passes.",
});
