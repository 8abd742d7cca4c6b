import { terminal } from "@microremed/core";
import { load } from "js-yaml";
import { z } from "zod";

/** One model of the models file. */
export const ModelEntry = z.strictObject({
  baseUrl: z.url().describe("OpenAI-compatible endpoint, up to and including /v1"),
  apiKeyEnv: z
    .string()
    .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "the name of an environment variable, not the key itself")
    .optional()
    .describe("environment variable that holds the key; default: no key is sent"),
  model: z.string().min(1).optional().describe("the endpoint's own id of the model; default: the name"),
  headers: z.record(z.string(), z.string()).optional().describe("extra HTTP headers"),
  parameters: z
    .record(z.string(), z.unknown())
    .optional()
    .describe("request fields to add or override, e.g. {max_completion_tokens: 8192, max_tokens: null}"),
});
export type ModelEntry = z.infer<typeof ModelEntry>;

/** `models.yaml`: name -> endpoint. */
export const ModelsFile = z.strictObject({ models: z.record(z.string().min(1), ModelEntry) });
export type ModelsFile = z.infer<typeof ModelsFile>;

/** Parses the text of a models file. Throws `invalid-config` that names the file and every wrong field. */
export function parseModelsFile(text: string, fileName: string): ModelsFile {
  const parsed = ModelsFile.safeParse(loadYaml(text, fileName));
  if (parsed.success) return parsed.data;
  throw terminal("invalid-config", `${fileName}: ${z.prettifyError(parsed.error)}`, { file: fileName });
}

function loadYaml(text: string, fileName: string): unknown {
  try {
    return load(text);
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    throw terminal("invalid-config", `${fileName} is no YAML: ${reason}`, { file: fileName });
  }
}
