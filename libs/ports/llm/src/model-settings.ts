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
  return { stated: [...words, ...overridden].join(", "), deviations: [...deviations, ...overridden] };
}

function wordsOf({ temperature, maxTokens, reasoning, toolCalling }: CallSettings): string[] {
  return [
    temperature === null ? "temperature of the provider's choice" : `temperature ${temperature}`,
    `at most ${maxTokens} tokens an answer`,
    reasoning === "default" ? "reasoning as the provider has it" : `reasoning ${reasoning}`,
    toolCalling === "native" ? "tools" : "tools called in text",
  ];
}
