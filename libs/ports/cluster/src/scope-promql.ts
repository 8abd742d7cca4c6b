/** Words of PromQL that stand where a metric's name could. */
const keywords = new Set(
  "and or unless by without on ignoring group_left group_right bool offset start end inf nan atan2".split(
    " ",
  ),
);
/** Keywords that are followed by a list of labels. */
const takesLabels = new Set(["by", "without", "on", "ignoring", "group_left", "group_right"]);

/** What makes a word the name of a function or aggregation, or one whose selector follows. */
const followsName = new Set(["(", "{", "by", "without"]);

const token =
  /\s+|#[^\n]*|"(?:\\[\s\S]|[^"\\])*"|'(?:\\[\s\S]|[^'\\])*'|`[^`]*`|\[[^\]]*\]|[\d.][\w.]*|[A-Za-z_:][\w:]*|[\s\S]/gy;

/**
 * A PromQL query that sees one namespace alone: every selector of series gets `namespace="<it>"`, which no other matcher
 * of the query can widen. Throws a TypeError on a query whose quotes or braces do not balance.
 */
export function scopePromql(query: string, namespace: string): string {
  const matcher = `namespace=${JSON.stringify(namespace)}`;
  const tokens = query.match(token) ?? [];
  const result: string[] = [];
  const next = (from: number): number => {
    let at = from;
    while (at < tokens.length && /^(?:\s+|#[^\n]*)$/.test(tokens[at] ?? "")) at++;
    return at;
  };
  for (let at = 0; at < tokens.length; at++) {
    const text = tokens[at] ?? "";
    if (text === '"' || text === "'" || text === "`") throw new TypeError("a quote is not closed");
    if (text === "}") throw new TypeError("a brace is closed that was not opened");
    if (text === "{") {
      at = copySelector(tokens, at, matcher, result);
      continue;
    }
    result.push(text);
    if (!/^[A-Za-z_:]/.test(text)) continue;
    const following = next(at + 1);
    if (takesLabels.has(text.toLowerCase()) && tokens[following] === "(") {
      at = copyThrough(tokens, at + 1, ")", result);
    } else if (!keywords.has(text.toLowerCase()) && !followsName.has(tokens[following] ?? "")) {
      result.push(`{${matcher}}`);
    }
  }
  return result.join("");
}

/** Copies `{...}` from `at` on with the matcher in it; returns where it ends. */
function copySelector(tokens: readonly string[], at: number, matcher: string, into: string[]): number {
  const inside: string[] = [];
  const end = copyThrough(tokens, at + 1, "}", inside);
  const others = inside.slice(0, -1).join("").trim().replace(/,$/, "");
  // Newer Prometheus lets several lists of matchers be joined by `or`, which would widen what they see.
  if (/\bor\b/.test(others.replace(/"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`[^`]*`/g, ""))) {
    throw new TypeError("`or` between matchers is not allowed");
  }
  into.push(`{${[others, matcher].filter(Boolean).join(",")}}`);
  return end;
}

function copyThrough(tokens: readonly string[], from: number, closing: string, into: string[]): number {
  for (let at = from; at < tokens.length; at++) {
    into.push(tokens[at] ?? "");
    if (tokens[at] === closing) return at;
  }
  throw new TypeError(`${closing} is missing`);
}
