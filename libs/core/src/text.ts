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
