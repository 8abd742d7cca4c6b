import { z } from "zod";
import { ExperimentId } from "../ids.ts";

/** What the reply to a cancellation says (when the client gave a reply subject). */
export const CancelReply = z.discriminatedUnion("status", [
  z.strictObject({ status: z.literal("accepted"), experimentId: ExperimentId }),
  z.strictObject({
    status: z.literal("rejected"),
    issues: z.array(z.strictObject({ path: z.string(), message: z.string() })),
  }),
]);
export type CancelReply = z.infer<typeof CancelReply>;
