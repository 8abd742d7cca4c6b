import { z } from "zod";
import { KubeName } from "../ids.ts";
import { defineMessage } from "./define-message.ts";

/** Scheduler to injector: does this cluster's API server answer? */
export const ClusterLook = z.strictObject({ cluster: KubeName });
export type ClusterLook = z.infer<typeof ClusterLook>;

export const ClusterLookReply = z.strictObject({
  trouble: z.string().nullable().describe("why it is not fit for use; null: it answers"),
});
export type ClusterLookReply = z.infer<typeof ClusterLookReply>;

export const clusterLook = defineMessage({
  name: "ClusterLook",
  version: 1,
  subject: "microremed.rpc.look.<cluster>",
  from: ["scheduler"],
  to: ["injector"],
  schema: ClusterLook,
  reply: ClusterLookReply,
  doc: "Whether a quarantined cluster answers again (request and reply).",
});
