import { z } from "zod";
import { KubeName } from "../ids.ts";
import { defineMessage } from "./define-message.ts";

/** Scheduler to injector: does this cluster's API server answer? */
export const ClusterCheck = z.strictObject({ cluster: KubeName });
export type ClusterCheck = z.infer<typeof ClusterCheck>;

/** Whether the API server answered. */
export const ClusterCheckReply = z.strictObject({
  trouble: z.string().nullable().describe("why the cluster cannot be used; null: it answers"),
});
export type ClusterCheckReply = z.infer<typeof ClusterCheckReply>;

/** The request of `ClusterCheck`, on a subject of the cluster's own. */
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
