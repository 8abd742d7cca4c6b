import { isJsonObject, parseJson } from "@microremed/core";

const fence = /```[ \t]*(?:json)?[ \t]*\r?\n([\s\S]*?)```/gi;

/** The object that a text is in JSON, or the last one in a fenced block of it. */
export function lastJsonObject(text: string): Record<string, unknown> | undefined {
  const candidates = [text, ...[...text.matchAll(fence)].map((match) => match[1] ?? "")];
  return candidates.map(parseJson).filter(isJsonObject).at(-1);
}
