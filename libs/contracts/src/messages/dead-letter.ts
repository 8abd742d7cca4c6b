import { z } from "zod";
import { defineMessage } from "./define-message.ts";

/** A message that no service could handle, as it is kept for a person. */
export const DeadLetter = z.strictObject({
  subject: z.string().describe("the message's original subject"),
  service: z.string().describe("the service that could not handle it"),
  messageId: z.string(),
  deliveries: z.int(),
  code: z.string(),
  reason: z.string(),
  headers: z.record(z.string(), z.string()),
  body: z.string().describe("the message, at most 256 KiB of it"),
  cut: z.boolean().default(false).describe("the message was longer than `body`"),
  at: z.number().describe("wall clock, ms since the epoch"),
});
export type DeadLetter = z.output<typeof DeadLetter>;

/** The message of `DeadLetter`, on a subject of the sending service's own. Kept for 30 days. */
export const deadLetter = defineMessage({
  name: "DeadLetter",
  version: 1,
  subject: "microremed.deadletters.<service>",
  from: ["scheduler", "injector", "remediator", "executor", "verifier"],
  to: ["scheduler", "client"],
  schema: DeadLetter,
  doc: "A message that no service could handle, for a person to decide on. The scheduler ends the stage that waits for it.",
});
