import { z } from "zod";

/** How a model was asked, for the report: equal for every model unless `deviations` says otherwise. */
export const ModelSettings = z.strictObject({
  stated: z.string().describe("in words, e.g. temperature 0, at most 8192 tokens an answer, reasoning off"),
  deviations: z.array(z.string()).describe("what differs from the settings that every model has by default"),
});
export type ModelSettings = z.infer<typeof ModelSettings>;
