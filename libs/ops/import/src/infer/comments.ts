/** What is a comment of a line, by the end of a file's name; of other files what follows `#`. */
const hash = /(^|\s)#.*$/;
const hashOnly = /^\s*[#!].*$/;
const semicolon = /^\s*;.*$/;
const slashes = /(^\s*|\s)\/\/\s.*$|^\s*(\/\/|\/\*|\*\s).*$/;
const kinds: readonly (readonly [RegExp, readonly RegExp[]])[] = [
  [/\.(json5?|jsonc|js|mjs|cjs|ts|java|go|groovy|kts?|scala|php|proto)$/i, [slashes]],
  [/\.(xml|html?|config)$/i, []],
  [/\.(sql|lua)$/i, [/^\s*--.*$/]],
  [/\.properties$/i, [hashOnly]],
  [/\.(ini|cfg|cnf)$/i, [hashOnly, semicolon]],
  [/\.(conf|hcl|tf)$/i, [hash, semicolon, slashes]],
];

/** A file's text without its comments: what is commented out is not in use. */
export function withoutComments(name: string, text: string): string {
  const patterns = kinds.find(([end]) => end.test(name))?.[1] ?? [hash];
  if (patterns.length === 0) return withoutMarkup(text);
  return text
    .split("\n")
    .map((line) => patterns.reduce((rest, pattern) => rest.replace(pattern, ""), line))
    .join("\n");
}

const withoutMarkup = (text: string): string => {
  const [first = "", ...others] = text.split("<!--");
  return first + others.map((part) => part.split("-->").slice(1).join("-->")).join(" ");
};
