/** Keeps the head and the tail of a long text and says how much is left out in between. `max` in characters. */
export function clipMiddle(text: string, max: number): string {
  if (text.length <= max) return text;
  const half = Math.floor((max - 40) / 2);
  const left = text.length - 2 * half;
  return `${text.slice(0, half)}\n... [${left} characters left out] ...\n${text.slice(-half)}`;
}

/** Quotes and joins for messages: `"a", "b" or "c"`. */
export function oneOf(names: readonly string[]): string {
  const quoted = names.map((name) => JSON.stringify(name));
  if (quoted.length < 2) return quoted.join("");
  return `${quoted.slice(0, -1).join(", ")} or ${quoted.at(-1)}`;
}

/** Characters that change how the text around them is shown: order of writing, invisible ones, other line ends, C1 controls. */
const misleading = /[\p{Cf}\p{Zl}\p{Zp}\p{Cs}\u0080-\u009f]/gu;

/**
 * The text with characters that mislead a reader as escapes (`\\u202e`): texts of models and clusters pass through here on
 * their way to people. The escapes are JSON's, so JSON keeps its meaning.
 */
export function visibleText(text: string): string {
  return text.replaceAll(misleading, (character) =>
    Array.from({ length: character.length }, (_, index) =>
      character.charCodeAt(index).toString(16).padStart(4, "0"),
    )
      .map((digits) => `\\u${digits}`)
      .join(""),
  );
}
