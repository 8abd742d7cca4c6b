import { catalogueConfig } from "@microremed/registry";
import { z } from "zod";

/** The injector's environment variables beyond those of every service. */
export const injectorConfig = {
  CLUSTERS_FILE: z
    .string()
    .min(1)
    .describe("clusters file (YAML): the clusters whose arenas this injector manages"),
  ENVIRONMENTS_DIR: z.string().min(1).optional().describe("directory with your own environments (YAML)"),
  ...catalogueConfig,
  ARENA_IDLE_MINUTES: z.coerce
    .number()
    .int()
    .min(0)
    .max(525_600)
    .default(120)
    .describe(
      "minutes after which the namespace of an unused arena is deleted; the next episode redeploys it; 0: never",
    ),
  TELEMETRY_DIR: z
    .string()
    .min(1)
    .optional()
    .describe(
      "directory to which the metrics, traces and logs of every episode are written before its arena is restored; default: they are not kept",
    ),
  CONCURRENCY: z.coerce
    .number()
    .int()
    .min(1)
    .max(1000)
    .default(16)
    .describe("maximum concurrent commands, per stage"),
};
