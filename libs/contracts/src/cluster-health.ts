import { z } from "zod";
import { KubeName } from "./ids.ts";

/** Scheduler to injector: does this cluster's API server answer? */
export const ClusterLook = z.strictObject({ cluster: KubeName });
export type ClusterLook = z.infer<typeof ClusterLook>;

export const ClusterLookReply = z.strictObject({
  trouble: z.string().nullable().describe("why it is not fit for use; null: it answers"),
});
export type ClusterLookReply = z.infer<typeof ClusterLookReply>;

/** Why a whole cluster gets no episodes. */
export const ClusterQuarantine = z.strictObject({
  reason: z.string(),
  since: z.number().describe("wall clock, ms since the epoch"),
  until: z.number().describe("wall clock, ms: it is not taken back before, and then once it answers"),
});
export type ClusterQuarantine = z.infer<typeof ClusterQuarantine>;

/** Client to scheduler: the registered clusters. */
export const ClustersQuery = z.strictObject({});
export type ClustersQuery = z.infer<typeof ClustersQuery>;

export const ClusterStatus = z.strictObject({
  name: KubeName,
  quarantine: ClusterQuarantine.nullable(),
  arenas: z.array(
    z.strictObject({
      slot: z.int().min(0),
      state: z.enum(["free", "leased", "quarantined"]),
      episode: z.string().nullable().describe("that holds it"),
      deployed: z.string().nullable().describe("`<environment>@<namespace of the request>`; null: nothing"),
      reason: z.string().nullable().describe("why it is quarantined"),
    }),
  ),
});
export type ClusterStatus = z.infer<typeof ClusterStatus>;

export const ClusterList = z.strictObject({ clusters: z.array(ClusterStatus) });
export type ClusterList = z.infer<typeof ClusterList>;

/** Admin to scheduler: end the quarantine of a cluster and of its arenas at once. */
export const ClusterRelease = z.strictObject({ cluster: KubeName });
export type ClusterRelease = z.infer<typeof ClusterRelease>;

export const ClusterReleaseReply = z.strictObject({
  released: z.boolean().describe("false: neither the cluster nor an arena of it was quarantined"),
});
export type ClusterReleaseReply = z.infer<typeof ClusterReleaseReply>;
