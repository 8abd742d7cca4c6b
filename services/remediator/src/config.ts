import { z } from "zod";

/** Names in one line, or `*` for all. */
const Shards = z
  .string()
  .transform((text) => text.split(",").map((name) => name.trim()))
  .refine((names) => names.every((name) => name !== ""), "names separated by commas, or *")
  .refine((names) => names.length === 1 || !names.includes("*"), "either * alone or names");

/** The remediator's environment variables beyond those of every service. */
export const remediatorConfig = {
  MODELS: Shards.default(["*"]).describe(
    "models whose turns this replica takes, separated by commas; each has its own queue, so that a slow one stops no other. * takes those of all models in one queue, and no replica of a list may run beside it",
  ),
  CONCURRENCY: z.coerce
    .number()
    .int()
    .min(1)
    .max(1000)
    .default(16)
    .describe("turns at once, per entry of MODELS"),
  MICROREMED_MODELS_FILE: z.string().min(1).optional().describe("models file (YAML): name -> endpoint"),
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
