import type { ScriptNode } from "just-bash";

interface Part {
  readonly type: string;
  readonly value?: unknown;
  readonly pattern?: unknown;
}

interface HereDoc {
  readonly content: { readonly parts: readonly Part[] };
  readonly stripTabs: boolean;
}

interface Redirection {
  readonly type: "Redirection";
  readonly target: HereDoc & { readonly type: string };
}

/**
 * A script with here-strings for its here-documents. just-bash prints the body of a here-document at once, before the rest of
 * its line: what is behind `<<EOF` is lost, and all that follows becomes part of the body.
 */
export function withHereStrings(script: ScriptNode): ScriptNode {
  const visit = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(visit);
    if (typeof part !== "object" || part === null) return part;
    const copy = Object.fromEntries(Object.entries(part).map(([name, inner]) => [name, visit(inner)]));
    return isHereDocument(copy) ? withHereString(copy) : copy;
  };
  return visit(script) as ScriptNode;
}

const isHereDocument = (part: object): part is Redirection =>
  "type" in part &&
  part.type === "Redirection" &&
  "target" in part &&
  (part.target as { type?: unknown }).type === "HereDoc";

function withHereString(redirection: Redirection): object {
  const parts = quoted(redirection.target);
  const [target, operator] =
    parts.length === 0 ? [[{ type: "Literal", value: "/dev/null" }], "<"] : [parts, "<<<"];
  return { ...redirection, operator, target: { type: "Word", parts: target } };
}

/** The content as parts of one word, without its last line break, which a here-string has by itself. Empty: there is no content. */
function quoted({ content, stripTabs }: HereDoc): object[] {
  const parts: object[] = [];
  let isLineStart = true;
  content.parts.forEach((part, at) => {
    const text = textOf(part);
    if (text === undefined) {
      parts.push({ type: "DoubleQuoted", parts: [isBackquoted(part) ? { ...part, legacy: false } : part] });
      isLineStart = false;
      return;
    }
    const lines = stripTabs ? text.replace(isLineStart ? /(^|\n)\t+/g : /(\n)\t+/g, "$1") : text;
    isLineStart = text.endsWith("\n");
    const isLast = at === content.parts.length - 1;
    if (isLast && lines === "" && at === 0) return;
    parts.push(...literally(isLast ? lines.replace(/\n$/, "") : lines));
  });
  return parts;
}

/** What is not expanded in a here-document; undefined: it is an expansion. */
function textOf({ type, value, pattern }: Part): string | undefined {
  if (type === "Glob") return String(pattern);
  return typeof value === "string" ? value : undefined;
}

const isBackquoted = (part: object): boolean => "legacy" in part && part.legacy === true;

/** No character in single quotes is special, and a single quote itself is in double ones. */
const literally = (text: string): object[] =>
  text
    .split("'")
    .flatMap((value, at) => [
      ...(at > 0 ? [{ type: "DoubleQuoted", parts: [{ type: "Literal", value: "'" }] }] : []),
      { type: "SingleQuoted", value },
    ]);
