import { z } from "zod";

/** Why the episodes of one model of an experiment are given no arena for now: its provider fails. */
export const ModelPause = z.strictObject({
  model: z.string(),
  reason: z.string(),
  since: z.number().describe("wall clock, ms since the epoch"),
  checks: z.int().min(0).describe("how often the model was asked since"),
  checkAt: z.number().describe("wall clock, ms: when it is asked next"),
});
export type ModelPause = z.infer<typeof ModelPause>;
