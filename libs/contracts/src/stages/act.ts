import { z } from "zod";
import { PolicyName } from "../ids.ts";
import { maxPlaybookLength } from "../limits.ts";
import { Execution } from "../records/execution.ts";
import { caseOf, commandKey, defineStage, failed } from "./define-stage.ts";

export const ActCommand = z.strictObject({
  ...commandKey,
  concealment: caseOf.concealment,
  playbook: z.string().max(maxPlaybookLength),
  policy: PolicyName,
  timeoutSeconds: z.int().min(1),
});
export type ActCommand = z.infer<typeof ActCommand>;

export const act = defineStage({
  name: "act",
  state: "acting",
  service: "executor",
  shard: "cluster",
  title: "ActCommand",
  command: ActCommand,
  body: z.discriminatedUnion("status", [
    z.strictObject({ status: z.literal("ok"), execution: Execution }),
    failed,
  ]),
  doc: "Run one playbook against the arena.",
});
