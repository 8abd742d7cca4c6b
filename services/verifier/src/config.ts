import { catalogueConfig } from "@microremed/registry";
import { z } from "zod";

/** The verifier's environment variables beyond those of every service. */
export const verifierConfig = {
  CLUSTERS_FILE: z
    .string()
    .min(1)
    .describe("clusters file (YAML): the clusters whose arenas this verifier verifies"),
  ENVIRONMENTS_DIR: z.string().min(1).optional().describe("directory with your own environments (YAML)"),
  ...catalogueConfig,
  CONCURRENCY: z.coerce
    .number()
    .int()
    .min(1)
    .max(1000)
    .default(16)
    .describe("maximum concurrent verifications"),
};
