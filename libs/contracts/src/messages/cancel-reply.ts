import { z } from "zod";
import { ExperimentId } from "../ids.ts";
import { Rejected } from "../rejected.ts";

/** What the reply to a cancellation says (when the client gave a reply subject). */
export const CancelReply = z.discriminatedUnion("status", [
  z.strictObject({ status: z.literal("accepted"), experimentId: ExperimentId }),
  Rejected,
]);
export type CancelReply = z.infer<typeof CancelReply>;
