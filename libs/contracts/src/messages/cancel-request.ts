import { z } from "zod";
import { ExperimentId } from "../ids.ts";
import { defineMessage } from "./define-message.ts";

export const CancelRequest = z.strictObject({ experimentId: ExperimentId });
export type CancelRequest = z.infer<typeof CancelRequest>;

export const cancelRequest = defineMessage({
  name: "CancelRequest",
  version: 1,
  subject: "microremed.experiments.cancel",
  from: ["client"],
  to: ["scheduler"],
  schema: CancelRequest,
  doc: "Ends an experiment; the arenas of running episodes are restored first.",
});
