import { z } from "zod";
import { PolicyName } from "../ids.ts";
import { maxPlaybookLength } from "../limits.ts";
import { Execution } from "../records/execution.ts";
import { mostObjectsBefore, ObjectBefore } from "../records/object-before.ts";
import { caseOf, commandKey, defineStage, failed } from "./define-stage.ts";

/** Scheduler to executor: one call of a tool that changes the arena, and the policy that a playbook must keep to. */
export const ActCommand = z.strictObject({
  ...commandKey,
  concealment: caseOf.concealment,
  tool: z.string().min(1).max(100),
  arguments: z
    .record(z.string(), z.unknown())
    .describe(`of run_playbook: playbook, at most ${maxPlaybookLength} characters; of exec_shell: command`),
  undo: z
    .array(ObjectBefore)
    .max(mostObjectsBefore)
    .optional()
    .describe("of undo_last_action: what the action before has changed; absent: there was none"),
  policy: PolicyName,
  timeoutSeconds: z.int().min(1),
});
export type ActCommand = z.infer<typeof ActCommand>;

/**
 * The stage `act`. Its result has what the tool printed and how it ended; a playbook that fails is a result, not an
 * error.
 */
export const act = defineStage({
  name: "act",
  state: "acting",
  service: "executor",
  shard: "cluster",
  changesArena: true,
  title: "ActCommand",
  command: ActCommand,
  body: z.discriminatedUnion("status", [
    z.strictObject({
      status: z.literal("ok"),
      execution: Execution,
      changed: z
        .array(ObjectBefore)
        .max(mostObjectsBefore)
        .optional()
        .describe("objects that it changed, as they were before; absent: not recorded"),
    }),
    failed,
  ]),
  doc: "Change the arena by one call of a tool: run_playbook, exec_shell or undo_last_action.",
});
