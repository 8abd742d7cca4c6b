import { catalogueConfig } from "@microremed/registry";
import { z } from "zod";

/** The scheduler's environment variables beyond those of every service. */
export const schedulerConfig = {
  CLUSTERS_FILE: z
    .string()
    .min(1)
    .meta({
      description: "clusters file (YAML) that lists the clusters and their arenas",
      examples: ["clusters.yaml"],
    }),
  ENVIRONMENTS_DIR: z
    .string()
    .min(1)
    .optional()
    .meta({ description: "folder with your own environment files, one YAML file each" }),
  ...catalogueConfig,
  POLICIES_DIR: z.string().min(1).optional().meta({
    description: "folder with your own playbook policies, one YAML file each; the same as the executor's",
  }),
  CONCURRENCY: z.coerce
    .number()
    .int()
    .min(1)
    .max(1000)
    .default(32)
    .meta({ description: "maximum concurrent results", examples: ["32"] }),
};
