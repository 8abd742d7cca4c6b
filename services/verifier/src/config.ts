import { catalogueConfig } from "@microremed/registry";
import { z } from "zod";

/** The verifier's environment variables beyond those of every service. */
export const verifierConfig = {
  CLUSTERS_FILE: z
    .string()
    .min(1)
    .describe("clusters file (YAML): the clusters whose arenas are judged here"),
  ENVIRONMENTS_DIR: z.string().min(1).optional().describe("directory with environments of your own (YAML)"),
  ...catalogueConfig,
  CONCURRENCY: z.coerce.number().int().min(1).max(1000).default(16).describe("verifications at once"),
};
