import { z } from "zod";

/** An object that an action has changed, as it was before. */
export const ObjectBefore = z.strictObject({
  apiVersion: z.string().max(300),
  kind: z.string().max(100),
  name: z.string().max(300),
  before: z
    .record(z.string(), z.unknown())
    .nullable()
    .optional()
    .describe("null: there was none; absent: too large to be kept, so it cannot be undone"),
});
export type ObjectBefore = z.infer<typeof ObjectBefore>;

/** Objects that one action is recorded with at most. */
export const mostObjectsBefore = 50;
