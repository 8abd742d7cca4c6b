import { z } from "zod";
import { KubeName } from "../ids.ts";
import { defineMessage } from "./define-message.ts";

/** Admin to scheduler: end the quarantine of a cluster and of its arenas at once. */
export const ClusterRelease = z.strictObject({ cluster: KubeName });
export type ClusterRelease = z.infer<typeof ClusterRelease>;

/** Whether there was a quarantine to end. */
export const ClusterReleaseReply = z.strictObject({
  released: z.boolean().describe("false: neither the cluster nor an arena of it was quarantined"),
});
export type ClusterReleaseReply = z.infer<typeof ClusterReleaseReply>;

/** The request of `ClusterRelease`. The user `client` has no right to send it. */
export const clusterRelease = defineMessage({
  name: "ClusterRelease",
  version: 1,
  subject: "microremed.rpc.release",
  from: ["admin"],
  to: ["scheduler"],
  schema: ClusterRelease,
  reply: ClusterReleaseReply,
  doc: "Ends the quarantine of a cluster and of its arenas at once (request and reply).",
});
