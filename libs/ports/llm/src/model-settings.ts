import type { ModelSettings } from "@microremed/contracts";

/** Whether and how much a model thinks before it answers; `default`: nothing is sent, the provider decides. */
export const reasoningLevels = ["default", "off", "on", "low", "medium", "high"] as const;
export type Reasoning = (typeof reasoningLevels)[number];

/** How a model is asked. */
export interface CallSettings {
  /** null: not sent. */
  readonly temperature: number | null;
  /** Most tokens of an answer. */
  readonly maxTokens: number;
  readonly reasoning: Reasoning;
  /** Tokens, of four characters each, to which the conversation is cut; null: it is sent whole. */
  readonly historyTokens: number | null;
  /** `text`: for models without tools, in lines of text. */
  readonly toolCalling: "native" | "text";
  /** Request fields to add or override; null leaves a field out. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** Equal for every model unless its entry in the models file says otherwise. */
export const defaultSettings: CallSettings = {
  temperature: 0,
  maxTokens: 8192,
  reasoning: "default",
  historyTokens: null,
  toolCalling: "native",
  parameters: {},
};

/** The settings in words, and what in them is not the default. */
export function stateSettings(settings: CallSettings): ModelSettings {
  const words = wordsOf(settings);
  const usual = wordsOf(defaultSettings);
  const deviations = words.filter((word, index) => word !== usual[index]);
  const overridden = Object.entries(settings.parameters).map(([name, value]) =>
    value === null ? `${name} not sent` : `${name} = ${JSON.stringify(value)}`,
  );
  const { historyTokens } = settings;
  if (historyTokens !== null) overridden.push(`history cut to ${historyTokens} tokens`);
  return { stated: [...words, ...overridden].join(", "), deviations: [...deviations, ...overridden] };
}

/** What an agent says of how it is asked. Whatever the models file sets otherwise than usual goes before it. */
export function withDeclared<E extends CallSettings>(
  endpoint: E,
  declared: {
    readonly temperature?: number;
    readonly topP?: number;
    readonly maxTokens?: number;
    readonly historyTokens?: number;
  },
): E {
  const { temperature, topP, maxTokens, historyTokens } = declared;
  const isUsual = (name: "temperature" | "maxTokens"): boolean => endpoint[name] === defaultSettings[name];
  return {
    ...endpoint,
    ...(temperature !== undefined && isUsual("temperature") && { temperature }),
    ...(maxTokens !== undefined && isUsual("maxTokens") && { maxTokens }),
    ...(historyTokens !== undefined && { historyTokens }),
    parameters: { ...(topP !== undefined && { top_p: topP }), ...endpoint.parameters },
  };
}

function wordsOf({ temperature, maxTokens, reasoning, toolCalling }: CallSettings): string[] {
  return [
    temperature === null ? "temperature of the provider's choice" : `temperature ${temperature}`,
    `at most ${maxTokens} tokens an answer`,
    reasoning === "default" ? "reasoning as the provider has it" : `reasoning ${reasoning}`,
    toolCalling === "native" ? "tools" : "tools called in text",
  ];
}
