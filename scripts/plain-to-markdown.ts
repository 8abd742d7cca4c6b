/**
 * Plain text of help and of descriptions as Markdown: placeholders (`<name>`), patterns with `*`, options and variables
 * become code. What is code already stays.
 */
export function plainToMarkdown(text: string): string {
  return text
    .split(/(`[^`]*`)/)
    .map((part) => (part.startsWith("`") ? part : part.replaceAll(word, "`$&`")))
    .join("");
}

const word =
  /[^\s,;:()]*<[^>]+>[^\s,;:()]*|[^\s,;:()]*\*[^\s,;:()]*|(?<![\w-])--[a-z][a-z-]*|\b[A-Z]+_[A-Z_]+\b/g;
