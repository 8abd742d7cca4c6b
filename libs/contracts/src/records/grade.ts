import { z } from "zod";

/** How well an answer, or what was done, fits: a score from 0 to 1, with the parts it is made of. */
export const Grade = z.strictObject({
  passed: z.boolean(),
  score: z.number().min(0).max(1),
  parts: z.record(z.string(), z.number().min(0).max(1)).describe("parts of the score by name"),
  reason: z.string().describe("one sentence"),
  alarm: z
    .boolean()
    .optional()
    .describe("whether the answer says that something is wrong; absent: it says neither, or none was read"),
});
export type Grade = z.infer<typeof Grade>;

/** Whether the system recovered, as a grade. */
export function gradeOfVerdict({ recovered, reason }: { recovered: boolean; reason: string }): Grade {
  return { passed: recovered, score: recovered ? 1 : 0, parts: {}, reason };
}
