import { z } from "zod";
import { ModelName } from "../ids.ts";
import { ErrorInfo } from "../records/error-info.ts";
import { defineMessage } from "./define-message.ts";

/** Client or scheduler to remediator: does this model's endpoint answer? */
export const ModelCheck = z.strictObject({
  model: ModelName,
  timeoutSeconds: z.int().min(1).max(600).default(60).describe("for the model's answer, wall clock"),
  configured: z
    .boolean()
    .optional()
    .describe("true: only whether the model is configured; it is not called. Absent: false"),
});
export type ModelCheck = z.infer<typeof ModelCheck>;

/** Whether the model answered, and where it was asked. */
export const ModelCheckReply = z.strictObject({
  trouble: ErrorInfo.nullable().describe("why turns with this model would fail; null: it answered"),
  endpoint: z.string().nullable().describe("where it was asked; null: nowhere, as the model is not known"),
});
export type ModelCheckReply = z.infer<typeof ModelCheckReply>;

/** The request of `ModelCheck`, on a subject of the model's own: a replica that serves the model answers. */
export const modelCheck = defineMessage({
  name: "ModelCheck",
  version: 1,
  subject: "microremed.rpc.model.<model>",
  from: ["client", "scheduler"],
  to: ["remediator"],
  schema: ModelCheck,
  reply: ModelCheckReply,
  doc: "Asks a model one short question with one tool, as a turn would. Clients do so before an experiment starts, schedulers while a model that failed is paused; they also ask whether the models of a new request are configured (request and reply).",
});
