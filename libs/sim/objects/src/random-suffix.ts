import type { Rng } from "@microremed/core";

const alphabet = [..."bcdfghjklmnpqrstvwxz2456789"];

/** Characters of a generateName that are kept before a random part of five: names have at most 63. */
export const maxNamePrefix = 58;

/** Kubernetes' random name part: no vowels, nothing that looks like another character. */
export function randomSuffix(rng: Rng, length = 5): string {
  return Array.from({ length }, () => rng.pick(alphabet)).join("");
}

/** The same alphabet for a number, as pod-template-hash uses it. */
export function safeEncode(text: string): string {
  return [...text].map((char) => alphabet[char.charCodeAt(0) % alphabet.length]).join("");
}
