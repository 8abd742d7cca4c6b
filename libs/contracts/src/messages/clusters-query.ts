import { z } from "zod";
import { ClusterStatus } from "../records/cluster-status.ts";
import { defineMessage } from "./define-message.ts";

/** Client to scheduler: the registered clusters. */
export const ClustersQuery = z.strictObject({});
export type ClustersQuery = z.infer<typeof ClustersQuery>;

/** All registered clusters. */
export const ClusterList = z.strictObject({ clusters: z.array(ClusterStatus) });
export type ClusterList = z.infer<typeof ClusterList>;

/** The request of `ClustersQuery`. */
export const clustersQuery = defineMessage({
  name: "ClustersQuery",
  version: 1,
  subject: "microremed.rpc.clusters",
  from: ["client", "gateway"],
  to: ["scheduler"],
  schema: ClustersQuery,
  reply: ClusterList,
  doc: "The registered clusters with their arenas and quarantines (request and reply).",
});
