import { z } from "zod";
import { KubeName } from "../ids.ts";

/** Why a whole cluster gets no episodes. */
export const ClusterQuarantine = z.strictObject({
  reason: z.string(),
  since: z.number().describe("wall clock, ms since the epoch"),
  until: z
    .number()
    .describe("wall clock, ms: the quarantine lasts at least until then, and then until the cluster answers"),
});
export type ClusterQuarantine = z.infer<typeof ClusterQuarantine>;

/** One registered cluster: its quarantine, if any, and each of its arenas by slot, counted from 0. */
export const ClusterStatus = z.strictObject({
  name: KubeName,
  quarantine: ClusterQuarantine.nullable(),
  arenas: z.array(
    z.strictObject({
      slot: z.int().min(0),
      state: z.enum(["free", "leased", "quarantined"]),
      episode: z.string().nullable().describe("the episode that holds the arena"),
      deployed: z.string().nullable().describe("`<environment>@<namespace of the request>`; null: nothing"),
      reason: z.string().nullable().describe("why it is quarantined"),
    }),
  ),
});
export type ClusterStatus = z.infer<typeof ClusterStatus>;
