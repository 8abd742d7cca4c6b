import { wrongLines } from "@microremed/contracts";
import { terminal } from "@microremed/core";
import { load } from "js-yaml";
import { z } from "zod";
import { dialectNames } from "./dialects/registry.ts";
import { defaultSettings, reasoningLevels } from "./model-settings.ts";

/** What the provider allows; all replicas of the remediator keep it together. Absent: no limit. */
export const ModelLimits = z.strictObject({
  requestsPerMinute: z.int().min(1).optional(),
  tokensPerMinute: z.int().min(1).optional().describe("prompt and completion tokens"),
  concurrency: z.int().min(1).max(1000).optional().describe("turns at once, in all replicas together"),
});
export type ModelLimits = z.infer<typeof ModelLimits>;

/** URLs are in errors, reports and records. */
function hasNoLogin(text: string): boolean {
  const url = URL.parse(text);
  return !url || (url.username === "" && url.password === "");
}

const price = z.number().min(0);

/** One model of the models file. */
export const ModelEntry = z.strictObject({
  baseUrl: z
    .url()
    .refine(hasNoLogin, "no user name or password in it: name the key's variable in apiKeyEnv instead")
    .describe("OpenAI-compatible endpoint, up to and including /v1"),
  apiKeyEnv: z
    .string()
    .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "the name of an environment variable, not the key itself")
    .optional()
    .describe("environment variable that holds the key; default: no key is sent"),
  model: z.string().min(1).optional().describe("the endpoint's own id of the model; default: the name"),
  dialect: z.enum(dialectNames).default("compatible").describe("what the provider does differently"),
  apiVersion: z.string().min(1).optional().describe("for Azure's deployments, e.g. 2024-10-21"),
  toolCalling: z
    .enum(["native", "text"])
    .default(defaultSettings.toolCalling)
    .describe("text: for models without tools, in lines `Action:` and `Action Input:`"),
  stream: z.boolean().default(false).describe("have answers streamed; makes no difference to the result"),
  contextTokens: z
    .int()
    .min(1024)
    .optional()
    .describe("size of the context; an answer gets no more tokens than the conversation leaves of it"),
  prices: z
    .strictObject({ input: price, cachedInput: price.optional(), output: price })
    .optional()
    .describe("US dollars per million tokens"),
  limits: ModelLimits.prefault({}),
  temperature: z
    .number()
    .min(0)
    .max(2)
    .nullable()
    .default(defaultSettings.temperature)
    .describe("null: not sent, for models that refuse it"),
  maxTokens: z
    .int()
    .min(1)
    .max(1_000_000)
    .default(defaultSettings.maxTokens)
    .describe("most tokens of an answer, thinking included"),
  reasoning: z
    .enum(reasoningLevels)
    .default(defaultSettings.reasoning)
    .describe("thinking before the answer; default: nothing is sent"),
  headers: z.record(z.string(), z.string()).default({}).describe("extra HTTP headers"),
  parameters: z
    .record(z.string(), z.unknown())
    .default({})
    .describe("request fields to add or override, e.g. {top_p: 0.95}; null leaves a field out"),
});
export type ModelEntry = z.infer<typeof ModelEntry>;

/** `models.yaml`: name -> endpoint. */
export const ModelsFile = z.strictObject({ models: z.record(z.string().min(1), ModelEntry) });
export type ModelsFile = z.infer<typeof ModelsFile>;

/** Parses the text of a models file. Throws `invalid-config` that names the file and every wrong field. */
export function parseModelsFile(text: string, fileName: string): ModelsFile {
  const parsed = ModelsFile.safeParse(loadYaml(text, fileName));
  if (parsed.success) return parsed.data;
  const lines = wrongLines(parsed.error, ModelsFile).replace(/^/gm, "  ");
  throw terminal("invalid-config", `${fileName} has wrong fields:\n${lines}`, { file: fileName });
}

function loadYaml(text: string, fileName: string): unknown {
  try {
    return load(text);
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    throw terminal("invalid-config", `${fileName} is no YAML: ${reason}`, { file: fileName });
  }
}
