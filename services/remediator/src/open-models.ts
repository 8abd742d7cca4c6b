import { readFile } from "node:fs/promises";
import { terminal } from "@microremed/core";
import { type Cassette, createModels, type Models, parseModelsFile } from "@microremed/llm";
import type { RemediatorConfig } from "./config.ts";
import { openCassette } from "./open-cassette.ts";
import type { RecordedJudge } from "./recorded-judge.ts";

const openAi = "https://api.openai.com/v1";

type Config = Pick<
  RemediatorConfig,
  | "MICROREMED_MODELS_FILE"
  | "MICROREMED_CASSETTE_DIR"
  | "REFERENCE_MODELS_URL"
  | "OPENAI_BASE_URL"
  | "OPENAI_API_KEY"
>;

export interface OpenedModels {
  readonly models: Models;
  /** What answers instead of the models' endpoints, if anything. */
  readonly cassette?: Cassette;
  /** Its judges. */
  readonly judge?: RecordedJudge;
  /** Every key that a model may be called with. */
  readonly secrets: readonly string[];
}

/**
 * The models of the configuration, or those of the cassette, which needs no keys. Throws `invalid-config` when the
 * models file or the cassette cannot be read or is wrong.
 */
export async function openModels(
  config: Config,
  env: Readonly<Record<string, string | undefined>>,
): Promise<OpenedModels> {
  if (config.MICROREMED_CASSETTE_DIR !== undefined) {
    const { cassette, judge } = await openCassette(config.MICROREMED_CASSETTE_DIR);
    return { models: cassette, cassette, judge, secrets: [] };
  }
  const path = config.MICROREMED_MODELS_FILE;
  const file = path === undefined ? undefined : parseModelsFile(await readText(path), path);
  const apiKey = config.OPENAI_API_KEY ?? null;
  const baseUrl = config.OPENAI_BASE_URL ?? (apiKey === null ? undefined : openAi);
  const keyNames = Object.values(file?.models ?? {}).flatMap((entry) => entry.apiKeyEnv ?? []);
  const keys = [apiKey, ...keyNames.map((name) => env[name])];
  return {
    models: createModels({
      ...(file && { file }),
      env,
      referenceUrl: config.REFERENCE_MODELS_URL,
      fallback: baseUrl === undefined ? undefined : { baseUrl, apiKey },
    }),
    secrets: keys.filter((key) => typeof key === "string"),
  };
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    throw terminal("invalid-config", `MICROREMED_MODELS_FILE cannot be read: ${reason}`, { file: path });
  }
}
