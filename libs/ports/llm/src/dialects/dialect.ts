import type { Reasoning } from "../model-settings.ts";

export interface ConnectionInput {
  /** As the models file has it, without a slash at the end. */
  readonly baseUrl: string;
  readonly apiKey: string | null;
  /** The endpoint's own id of the model; at Azure the deployment. */
  readonly model: string;
  readonly apiVersion: string | null;
}

export interface Connection {
  readonly baseUrl: string;
  /** Beside the bearer token; null takes a header off. */
  readonly headers: Readonly<Record<string, string | null>>;
  readonly query: Readonly<Record<string, string>>;
}

/** What one provider's chat completions do differently from the others'. */
export interface Dialect {
  readonly name: string;
  /** Default: base URL and bearer token as they are. */
  readonly connect?: (input: ConnectionInput) => Connection;
  /** Name of the field that bounds an answer. */
  readonly maxTokensField: "max_tokens" | "max_completion_tokens";
  /** Request fields that set reasoning; never called with `default`. */
  readonly reasoning: (setting: Exclude<Reasoning, "default">, maxTokens: number) => Record<string, unknown>;
  /** Field in which an earlier answer's thinking must be sent back together with its tool calls. */
  readonly thinkingField?: string;
  /** True: the provider counts thinking beside `completion_tokens`, though within `total_tokens`. */
  readonly thinkingBesideCompletion?: boolean;
}

/** `on` without a measure is the middle one. */
export const effortOf = (setting: "on" | "low" | "medium" | "high"): string =>
  setting === "on" ? "medium" : setting;
