import { z } from "zod";
import { caseOf, commandKey, defineStage, failed } from "./define-stage.ts";

/** Scheduler to injector: the environment that the arena must have. */
export const PrepareCommand = z.strictObject({
  ...commandKey,
  ...caseOf,
  redeploy: z.boolean().describe("redeploy even if the arena is at its baseline"),
  seed: z
    .string()
    .optional()
    .describe(
      "seed of what is random in the cluster from now on, where that can be drawn again; absent: empty",
    ),
  timeoutSeconds: z.int(),
});
export type PrepareCommand = z.infer<typeof PrepareCommand>;

/** The stage `prepare`, the first of an episode. `ok`: the environment is deployed and healthy. */
export const prepare = defineStage({
  name: "prepare",
  state: "leased",
  service: "injector",
  shard: "cluster",
  changesArena: true,
  title: "PrepareCommand",
  command: PrepareCommand,
  body: z.discriminatedUnion("status", [
    z.strictObject({
      status: z.literal("ok"),
      deployed: z.boolean().describe("false: the arena was at its baseline"),
    }),
    failed,
  ]),
  doc: "Deploy the environment into the arena if needed, and wait until it is healthy.",
});
