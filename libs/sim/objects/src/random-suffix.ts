import type { Rng } from "@microremed/core";

const alphabet = [..."bcdfghjklmnpqrstvwxz2456789"];

/** Kubernetes' random name part: no vowels, nothing that looks like another character. */
export function randomSuffix(rng: Rng, length = 5): string {
  return Array.from({ length }, () => rng.pick(alphabet)).join("");
}

/** The same alphabet for a number, as pod-template-hash uses it. */
export function safeEncode(text: string): string {
  return [...text].map((char) => alphabet[char.charCodeAt(0) % alphabet.length]).join("");
}
