import { z } from "zod";
import { ExperimentId } from "../ids.ts";

/** What the reply to a submitted request says (when the client gave a reply subject). */
export const SubmitReply = z.discriminatedUnion("status", [
  z.strictObject({ status: z.literal("accepted"), experimentId: ExperimentId, episodes: z.int() }),
  z.strictObject({
    status: z.literal("rejected"),
    issues: z.array(z.strictObject({ path: z.string(), message: z.string() })),
  }),
]);
export type SubmitReply = z.infer<typeof SubmitReply>;
