import { TemplateError } from "./template-error.ts";

/** One word of an expression. */
export type Token =
  | { readonly kind: "string" | "name" | "operator"; readonly text: string }
  | { readonly kind: "number"; readonly text: string };

const pattern =
  /\s*(?:(?<string>'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*")|(?<number>\d+(?:\.\d+)?)|(?<name>[A-Za-z_]\w*)|(?<operator>==|!=|>=|<=|\/\/|\*\*|[-+*/%~<>|.,:()[\]{}]))/y;

const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r" };

/** The words of an expression of Jinja's. Throws TemplateError at what is none. */
export function tokensOf(expression: string): readonly Token[] {
  const tokens: Token[] = [];
  const text = expression.trimEnd();
  pattern.lastIndex = 0;
  while (pattern.lastIndex < text.length) {
    const at = pattern.lastIndex;
    const { string, number, name, operator } = pattern.exec(text)?.groups ?? {};
    if (string !== undefined) {
      const inner = string.slice(1, -1).replace(/\\(.)/g, (_all, char: string) => escapes[char] ?? char);
      tokens.push({ kind: "string", text: inner });
    } else if (number !== undefined) tokens.push({ kind: "number", text: number });
    else if (name !== undefined) tokens.push({ kind: "name", text: name });
    else if (operator !== undefined) tokens.push({ kind: "operator", text: operator });
    else
      throw new TemplateError(
        `unexpected ${JSON.stringify(text.slice(at, at + 10))} in ${JSON.stringify(expression)}`,
      );
  }
  return tokens;
}
