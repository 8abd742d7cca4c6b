import { z } from "zod";
import { Damage } from "../records/damage.ts";
import { PlannedNoises } from "../records/planned-problem.ts";
import { Baseline } from "../records/verdict.ts";
import { caseOf, commandKey, defineStage, failed } from "./define-stage.ts";

/** Scheduler to injector: the failure to remove, and the baseline that must be measured again. */
export const RestoreCommand = z.strictObject({
  ...commandKey,
  ...caseOf,
  noise: PlannedNoises.optional().describe("harmless oddities that were placed; absent: none"),
  baseline: Baseline.optional().describe("what must be measured again afterwards; absent: none was taken"),
  furtherBaselines: z
    .array(Baseline)
    .optional()
    .describe("the same for the incident's other faults, in their order; absent: none was taken"),
  timeoutSeconds: z.int(),
});
export type RestoreCommand = z.infer<typeof RestoreCommand>;

/**
 * The stage `restore`, the last of an episode. `reset`: the objects were put back; `redeployed`: the namespace was
 * made again.
 */
export const restore = defineStage({
  name: "restore",
  state: "restoring",
  service: "injector",
  shard: "cluster",
  changesArena: true,
  title: "RestoreCommand",
  command: RestoreCommand,
  body: z.discriminatedUnion("status", [
    z.strictObject({
      status: z.literal("ok"),
      how: z.enum(["reset", "redeployed"]),
      damage: Damage.nullable().describe("changes found before the restore"),
    }),
    failed,
  ]),
  doc: "Remove the failure and restore the arena to its baseline, or redeploy it.",
});
