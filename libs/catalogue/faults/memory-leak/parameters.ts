import { z } from "@microremed/catalogue";

export const parameters = z.object({
  miPerMinute: z
    .int()
    .min(24)
    .max(1000)
    .default(60)
    .describe("by how much the program's memory grows under its usual load, MiB per minute"),
});
