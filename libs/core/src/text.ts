/** What a cut says in the place of what it left out. */
const earlierCut = /\n\.{3} \[[^\n]{1,60} left out\] \.{3}\n/;

/**
 * Keeps the head and the tail of a long text, in whole lines, and says how much is left out in between, or that it is more
 * where the text was cut before. A line that is longer than a quarter of `max` is cut within. `max` in characters.
 */
export function clipMiddle(text: string, max: number): string {
  if (text.length <= max) return text;
  const half = Math.max(0, Math.floor((max - 60) / 2));
  const head = toLineEnd(text.slice(0, half));
  const tail = half === 0 ? "" : fromLineStart(text.slice(-half));
  const left = text.slice(head.length, text.length - tail.length);
  const lines = left.trim().split("\n").length;
  const what = lines > 1 ? `${lines} lines, ${left.length} characters` : `${left.length} characters`;
  const atLeast = earlierCut.test(left) ? "over " : "";
  return `${head.trimEnd()}\n... [${atLeast}${what} left out] ...\n${tail}`;
}

/** Without a cut last line, unless that would be more than half of the text. */
function toLineEnd(text: string): string {
  const end = text.lastIndexOf("\n") + 1;
  return end >= text.length / 2 ? text.slice(0, end) : text;
}

/** Without a cut first line, unless that would be more than half of the text. */
function fromLineStart(text: string): string {
  const start = text.indexOf("\n") + 1;
  return start <= text.length / 2 ? text.slice(start) : text;
}

/** A number and what it counts: `1 change`, `2 changes`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
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
