import { z } from "zod";

/** A stretch of cluster time in which a fault may come, and how often the agent is asked meanwhile. */
export const Watch = z.strictObject({
  windows: z
    .int()
    .min(1)
    .max(60)
    .default(10)
    .describe("how often the agent is asked at most: once at the end of each window"),
  windowSeconds: z
    .int()
    .min(30)
    .max(1800)
    .default(60)
    .describe(
      "cluster time of one window; a fault comes in the first third of one, and must have been proven by its end",
    ),
  withinWindows: z
    .int()
    .min(1)
    .max(60)
    .default(3)
    .describe(
      "in how many windows, from the one of the fault on, an alarm finds it; then it was missed, and the watch is over",
    ),
});
export type Watch = z.infer<typeof Watch>;
