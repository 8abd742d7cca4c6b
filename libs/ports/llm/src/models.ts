import { noModel } from "@microremed/contracts";
import { likelyNames, terminal } from "@microremed/core";
import type { DialectName } from "./dialects/registry.ts";
import { type CallSettings, defaultSettings } from "./model-settings.ts";
import type { ModelLimits, ModelsFile } from "./models-file.ts";
import type { Prices } from "./prices.ts";
import { isReferenceName, referenceNames } from "./reference-names.ts";

/** Where and how a model is reached. */
export interface ModelEndpoint extends CallSettings {
  readonly name: string;
  readonly baseUrl: string;
  readonly apiKey: string | null;
  /** The endpoint's own id of the model. */
  readonly model: string;
  /** True: a policy of rules, no language model; labelled so wherever it appears. */
  readonly ruleBased: boolean;
  readonly dialect: DialectName;
  readonly apiVersion: string | null;
  readonly stream: boolean;
  readonly contextTokens: number | null;
  readonly prices: Prices | null;
  readonly limits: ModelLimits;
  readonly headers: Readonly<Record<string, string>>;
}

/** What holds for an endpoint of which nothing but its address is known. */
export const plainEndpoint = {
  ...defaultSettings,
  dialect: "compatible",
  apiVersion: null,
  stream: false,
  contextTokens: null,
  prices: null,
  limits: {},
  headers: {},
} as const satisfies Partial<ModelEndpoint>;

/** Every model that a request may name. */
export interface Models {
  /** Names that are configured one by one, reference policies first. */
  readonly names: readonly string[];
  /** True: any other name goes to the fallback endpoint. */
  readonly wildcard: boolean;
  /** What the provider allows of a model; no limits of one that is not configured. */
  limitsOf(name: string): ModelLimits;
  /** Throws `unknown-model` (names the known ones) or `invalid-config` (a key's variable is not set). */
  resolve(name: string): ModelEndpoint;
}

/** Where models are configured; see docs/models.md for the file. */
export interface ModelsOptions {
  readonly file?: ModelsFile;
  /** Where keys are looked up by their variable's name. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The endpoint of the reference policies, up to and including `/v1`. */
  readonly referenceUrl?: string | undefined;
  /** Where names go that nothing else knows. With a models file there is no such place: what it lists is all there is. */
  readonly fallback?: { readonly baseUrl: string; readonly apiKey: string | null } | undefined;
}

const howToAdd = {
  file: "add it to the models file (MICROREMED_MODELS_FILE): while there is one, no other model is called",
  noFile:
    "add it to a models file (MICROREMED_MODELS_FILE), or set OPENAI_BASE_URL and OPENAI_API_KEY to send every name there",
};

/** The models that a remediator knows. */
export function createModels({ file, env, referenceUrl, ...options }: ModelsOptions): Models {
  // A name that the file lacks is a slip. It must not go out with another endpoint's key.
  const fallback = file ? undefined : options.fallback;
  const entries = new Map(Object.entries(file?.models ?? {}));
  const names = [...(referenceUrl ? referenceNames : []), ...entries.keys()];

  const unknown = (name: string) =>
    terminal(
      "unknown-model",
      `no model is called ${JSON.stringify(name)} (${file ? howToAdd.file : howToAdd.noFile}); ${likelyNames(name, names)}`,
      { known: names },
    );

  const configured = (name: string): ModelEndpoint | undefined => {
    const entry = entries.get(name);
    if (!entry) return undefined;
    const { apiKeyEnv, model, apiVersion, contextTokens, prices, ...settings } = entry;
    return {
      ...settings,
      name,
      apiKey: apiKeyEnv === undefined ? null : keyFrom(env, apiKeyEnv, name),
      model: model ?? name,
      ruleBased: false,
      apiVersion: apiVersion ?? null,
      historyTokens: null,
      contextTokens: contextTokens ?? null,
      prices: prices ?? null,
    };
  };

  const resolve = (name: string): ModelEndpoint => {
    if (name.startsWith("reference/")) {
      if (!referenceUrl || !isReferenceName(name)) throw unknown(name);
      const prices = { input: 0, output: 0 };
      return {
        ...plainEndpoint,
        name,
        baseUrl: referenceUrl,
        apiKey: null,
        model: name,
        ruleBased: true,
        prices,
      };
    }
    const found = configured(name);
    if (found) return found;
    if (!fallback || name === noModel) throw unknown(name);
    return { ...plainEndpoint, name, ...fallback, model: name, ruleBased: false };
  };
  const limitsOf = (name: string): ModelLimits => entries.get(name)?.limits ?? {};
  return { names, wildcard: fallback !== undefined, limitsOf, resolve };
}

function keyFrom(env: ModelsOptions["env"], variable: string, model: string): string {
  const key = env[variable];
  if (key) return key;
  throw terminal(
    "invalid-config",
    `model ${JSON.stringify(model)} takes its key from the environment variable ${variable}, which is not set for the remediator`,
    { variable },
  );
}
