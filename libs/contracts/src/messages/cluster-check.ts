import { z } from "zod";
import { KubeName } from "../ids.ts";
import { defineMessage } from "./define-message.ts";

/** Scheduler to injector: does this cluster's API server answer? */
export const ClusterCheck = z.strictObject({ cluster: KubeName });
export type ClusterCheck = z.infer<typeof ClusterCheck>;

export const ClusterCheckReply = z.strictObject({
  trouble: z.string().nullable().describe("why the cluster cannot be used; null: it answers"),
});
export type ClusterCheckReply = z.infer<typeof ClusterCheckReply>;

export const clusterCheck = defineMessage({
  name: "ClusterCheck",
  version: 1,
  subject: "microremed.rpc.check.<cluster>",
  from: ["scheduler"],
  to: ["injector"],
  schema: ClusterCheck,
  reply: ClusterCheckReply,
  doc: "Whether a quarantined cluster answers again (request and reply).",
});
