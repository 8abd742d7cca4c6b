import { likelyNames } from "@microremed/core";

/** To be read after what was expected: the wrong name, and what may have been meant, else what is known. */
export function notKnown(wrong: string, known: readonly string[]): string {
  return `not ${JSON.stringify(wrong.slice(0, 200))}; ${likelyNames(wrong, known)}`;
}
