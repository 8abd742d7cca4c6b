import { catalogueConfig } from "@microremed/registry";
import { z } from "zod";

/** The injector's environment variables beyond those of every service. */
export const injectorConfig = {
  CLUSTERS_FILE: z
    .string()
    .min(1)
    .describe("clusters file (YAML): the clusters whose arenas are looked after here"),
  ENVIRONMENTS_DIR: z.string().min(1).optional().describe("directory with environments of your own (YAML)"),
  ...catalogueConfig,
  ARENA_IDLE_MINUTES: z.coerce
    .number()
    .int()
    .min(0)
    .max(525_600)
    .default(120)
    .describe(
      "an arena that no episode used for so long gives its namespace back, to be deployed anew; 0: never",
    ),
  CONCURRENCY: z.coerce.number().int().min(1).max(1000).default(16).describe("commands at once, per stage"),
};
