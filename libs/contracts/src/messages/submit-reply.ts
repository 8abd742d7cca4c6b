import { z } from "zod";
import { ExperimentId } from "../ids.ts";
import { Rejected } from "../rejected.ts";

/** What the reply to a submitted request says (when the client gave a reply subject). */
export const SubmitReply = z.discriminatedUnion("status", [
  z.strictObject({
    status: z.literal("accepted"),
    experimentId: ExperimentId,
    episodes: z.int(),
    created: z.boolean().optional().describe("false: it had been submitted before"),
  }),
  Rejected,
]);
export type SubmitReply = z.infer<typeof SubmitReply>;
