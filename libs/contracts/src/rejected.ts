import { z } from "zod";

/** The reply to a request that is refused, with all that is wrong with it. */
export const Rejected = z.strictObject({
  status: z.literal("rejected"),
  issues: z.array(z.strictObject({ path: z.string(), message: z.string() })),
});
