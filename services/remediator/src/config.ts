import { catalogueConfig } from "@microremed/registry";
import { z } from "zod";

/** Patterns in one line. */
const Patterns = z
  .string()
  .transform((text) => text.split(",").map((pattern) => pattern.trim()))
  .refine((patterns) => patterns.every((pattern) => pattern !== ""), "patterns separated by commas");

/** The remediator's environment variables beyond those of every service. */
export const remediatorConfig = {
  MODELS: Patterns.default(["*"]).describe(
    "models whose turns this replica takes: names or patterns with *, separated by commas, e.g. reference/*,gpt-*. Each model has a queue of its own, so that a slow one stops no other",
  ),
  CONCURRENCY: z.coerce
    .number()
    .int()
    .min(1)
    .max(1000)
    .default(16)
    .describe("turns at once in this replica, per model; see also limits.concurrency in the models file"),
  ...catalogueConfig,
  MICROREMED_MODELS_FILE: z.string().min(1).optional().describe("models file (YAML): name -> endpoint"),
  MICROREMED_CASSETTE_DIR: z
    .string()
    .min(1)
    .optional()
    .describe(
      "directory of episodes saved with --save-path: models answer from them as they did then, and nobody is called",
    ),
  REFERENCE_MODELS_URL: z.url().optional().describe("endpoint of the reference/* policies, ends in /v1"),
  OPENAI_BASE_URL: z
    .url()
    .optional()
    .describe("endpoint for every model that is not in the models file, ends in /v1"),
  OPENAI_API_KEY: z
    .string()
    .min(1)
    .optional()
    .describe("its key; with the key alone the endpoint is OpenAI's"),
};

export type RemediatorConfig = z.output<z.ZodObject<typeof remediatorConfig>>;
