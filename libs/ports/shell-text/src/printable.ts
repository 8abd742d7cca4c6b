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
 * A script in a form that just-bash prints so that it means the same. As it is, just-bash prints the body of a here-document before
 * the rest of its line, `${a}b` as `$ab`, a line break of `$'\n'` as one that a shell leaves out, and backquotes in backquotes
 * without backslashes.
 */
export function printable(script: ScriptNode): ScriptNode {
  const visit = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(visit);
    if (typeof part !== "object" || part === null) return part;
    if ("type" in part && part.type === "HereDoc" && "content" in part)
      return { ...part, content: { parts: visit((part.content as { parts: unknown }).parts) } };
    const copy: Visited = Object.fromEntries(
      Object.entries(part).map(([name, inner]) => [name, visit(inner)]),
    );
    if (isHereDocument(copy)) return withHereString(copy);
    switch (copy.type) {
      case "Word":
        return { ...copy, parts: copy.parts?.flatMap(inWord) };
      case "ParameterExpansion":
        return copy.operation === null && plainName.test(copy.parameter ?? "")
          ? { ...copy, operation: inBraces(copy.parameter ?? "") }
          : copy;
      case "CommandSubstitution":
        return { ...copy, legacy: false };
      default:
        return copy;
    }
  };
  return visit(script) as ScriptNode;
}

interface Visited {
  readonly type?: string;
  readonly parts?: readonly Part[];
  readonly parameter?: string;
  readonly operation?: unknown;
}

/** The one operation whose text just-bash prints as it is, between braces. */
const inBraces = (text: string): object => ({ type: "BadSubstitution", text });

const plainName = /^\w+$/;

function inWord(part: Part): object[] {
  if (part.type !== "Literal" || typeof part.value !== "string") return [part];
  return part.value.includes("\n") ? literally(part.value) : [part];
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
      parts.push({ type: "DoubleQuoted", parts: [part] });
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

/** No character in single quotes is special, and a single quote itself is in double ones. */
const literally = (text: string): object[] =>
  text
    .split("'")
    .flatMap((value, at) => [
      ...(at > 0 ? [{ type: "DoubleQuoted", parts: [{ type: "Literal", value: "'" }] }] : []),
      { type: "SingleQuoted", value },
    ]);
