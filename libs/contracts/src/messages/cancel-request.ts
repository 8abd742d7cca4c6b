import { z } from "zod";
import { ExperimentId } from "../ids.ts";
import { defineMessage } from "./define-message.ts";

/** Client to scheduler: end this experiment. An unknown or finished experiment is left as it is. */
export const CancelRequest = z.strictObject({
  experimentId: ExperimentId,
  by: z
    .literal("agent")
    .optional()
    .describe(
      "its agent leaves: what it was asked counts as not solved, what it was not asked yet as not done; absent: it is ended from outside, and nothing is charged",
    ),
});
export type CancelRequest = z.infer<typeof CancelRequest>;

/** The message of `CancelRequest`, through the stream EXPERIMENTS. */
export const cancelRequest = defineMessage({
  name: "CancelRequest",
  version: 1,
  subject: "microremed.experiments.cancel",
  from: ["client", "gateway"],
  to: ["scheduler"],
  schema: CancelRequest,
  doc: 'Ends an experiment; the arenas of running episodes are restored first. Answered on the subject named in the header `Microremed-Reply-To`, with `{"status": "accepted", "experimentId"}`, or `{"status": "rejected", "issues": [{"path", "message"}]}`.',
});
