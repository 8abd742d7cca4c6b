import { z } from "zod";
import { EpisodeId } from "../ids.ts";
import { Arena } from "../records/arena.ts";
import { defineMessage } from "./define-message.ts";

/** Remediator to scheduler: an outside agent asks for nothing; do others wait for the arena of its episode? */
export const GiveBackQuery = z.strictObject({
  episodeId: EpisodeId,
  arena: Arena,
  isSilent: z.boolean().describe("there is no heartbeat either"),
});
export type GiveBackQuery = z.infer<typeof GiveBackQuery>;

/** Whether the turn is to end, so that the arena goes to others. */
export const GiveBackReply = z.strictObject({ giveBack: z.boolean() });
export type GiveBackReply = z.infer<typeof GiveBackReply>;

/** The request of `GiveBackQuery`. */
export const giveBackQuery = defineMessage({
  name: "GiveBackQuery",
  version: 1,
  subject: "microremed.rpc.give-back",
  from: ["remediator"],
  to: ["scheduler"],
  schema: GiveBackQuery,
  reply: GiveBackReply,
  doc: "Whether an episode whose outside agent asks for nothing is to give its arena back to others (request and reply).",
});
