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
    "models that this replica serves: names or patterns with *, separated by commas, e.g. reference/*,gpt-*; default: all. Each model has its own queue, so a slow model delays no other",
  ),
  CONCURRENCY: z.coerce
    .number()
    .int()
    .min(1)
    .max(1000)
    .default(16)
    .describe(
      "maximum concurrent turns of this replica, per model; see also limits.concurrency in the models file",
    ),
  SESSIONS: z.coerce
    .number()
    .int()
    .min(1)
    .max(10_000)
    .default(1000)
    .describe("maximum concurrent turns of outside agents of this replica; MODELS must have `session`, or *"),
  SESSION_IDLE_SECONDS: z.coerce
    .number()
    .int()
    .min(1)
    .max(3600)
    .default(120)
    .describe(
      "an outside agent that has made no call for so long gives its arena to another owner who waits and holds fewer; with heartbeats only to one that holds at least two fewer",
    ),
  ...catalogueConfig,
  MICROREMED_MODELS_FILE: z
    .string()
    .min(1)
    .optional()
    .describe("models file (YAML): name -> endpoint; with it, only the models that it lists exist"),
  MICROREMED_CASSETTE_DIR: z
    .string()
    .min(1)
    .optional()
    .describe(
      "directory of episodes saved with --save-path: answers are replayed from them, and no model is called",
    ),
  REFERENCE_MODELS_URL: z
    .url()
    .optional()
    .describe("endpoint of the reference/* policies, which ends in /v1"),
  OPENAI_BASE_URL: z
    .url()
    .optional()
    .describe("endpoint for every model, which ends in /v1; not used with a models file"),
  OPENAI_API_KEY: z
    .string()
    .min(1)
    .optional()
    .describe(
      "key of that endpoint; if only the key is set, the endpoint is OpenAI's; not used with a models file, unless an entry names it",
    ),
};

/** The parsed values of `remediatorConfig`. */
export type RemediatorConfig = z.output<z.ZodObject<typeof remediatorConfig>>;
