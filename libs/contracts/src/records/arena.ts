import { z } from "zod";

/** Where an episode runs: one namespace of one cluster, held by a lease. */
export const Arena = z.strictObject({
  cluster: z.string(),
  slot: z.int().min(0).describe("number of the arena on its cluster"),
  namespace: z.string(),
  fence: z.int().min(1).describe("fencing token of the lease: grows with every lease of the arena"),
});
export type Arena = z.infer<typeof Arena>;
