import { z } from "zod";
import { KubeName } from "../ids.ts";

/** Why a whole cluster gets no episodes. */
export const ClusterQuarantine = z.strictObject({
  reason: z.string(),
  since: z.number().describe("wall clock, ms since the epoch"),
  until: z.number().describe("wall clock, ms: it is not taken back before, and then once it answers"),
});
export type ClusterQuarantine = z.infer<typeof ClusterQuarantine>;

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
