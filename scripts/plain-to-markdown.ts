/**
 * Plain text of help and of descriptions as Markdown: placeholders (`<name>`), patterns with `*`, options, variables
 * and addresses become code. What is code already stays.
 */
export function plainToMarkdown(text: string): string {
  return text
    .split(/(`[^`]*`)/)
    .map((part) => (part.startsWith("`") ? part : part.replaceAll(word, "`$&`")))
    .join("");
}

const word = new RegExp(
  [
    /(?:[^\s,;:()<]*<[^>]+>)+[^\s,;:()<]*/, // placeholders
    /[^\s,;:()]*\*[^\s,;:()]*/, // patterns
    /(?<![\w-])--[a-z][a-z-]*/, // options
    /\b[A-Z]+_[A-Z_]+\b/, // variables
    /\b[a-z]+:\/\/[^\s,;()]*/, // addresses
  ]
    .map(({ source }) => source)
    .join("|"),
  "g",
);
