import { z } from "zod";

/** The injector's environment variables beyond those of every service. */
export const injectorConfig = {
  CLUSTERS_FILE: z
    .string()
    .min(1)
    .describe("clusters file (YAML): the clusters whose arenas are looked after here"),
  ENVIRONMENTS_DIR: z.string().min(1).optional().describe("directory with environments of your own (YAML)"),
  CONCURRENCY: z.coerce.number().int().min(1).max(1000).default(16).describe("commands at once, per stage"),
};
