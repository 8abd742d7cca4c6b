import { SqlError } from "./sql-values.ts";

/** A word, number, text or sign of a statement. */
export interface Token {
  readonly type: "name" | "number" | "text" | "sign";
  readonly text: string;
}

const forms =
  /\s+|--[^\n]*|(?<text>E?'(?:[^']|'')*')|"(?<quoted>[^"]*)"|(?<number>\d+(?:\.\d+)?)|(?<name>[a-z_][\w$]*)|(?<sign>::|<>|!=|<=|>=|!~|\|\||[-+*/=<>(),.~])/iy;
/** Of a statement: who writes more does not do so by hand. */
const mostTokens = 2_000;

/** The tokens of a statement. Throws what the server says of what it does not know. */
export function tokensOf(sql: string): Token[] {
  const found: Token[] = [];
  forms.lastIndex = 0;
  while (forms.lastIndex < sql.length) {
    const at = forms.lastIndex;
    const groups = forms.exec(sql)?.groups;
    if (!groups || found.length >= mostTokens)
      throw new SqlError(`syntax error at or near "${sql.slice(at, at + 20).split(/\s/)[0]}"`);
    const { text, quoted, number, name, sign } = groups;
    if (text !== undefined)
      found.push({ type: "text", text: text.replace(/^E?'|'$/gi, "").replaceAll("''", "'") });
    else if (quoted !== undefined) found.push({ type: "name", text: quoted });
    else if (number !== undefined) found.push({ type: "number", text: number });
    else if (name !== undefined) found.push({ type: "name", text: name.toLowerCase() });
    else if (sign !== undefined) found.push({ type: "sign", text: sign });
  }
  return found;
}

/** Reads tokens one after the other. */
export class TokenReader {
  readonly #tokens: readonly Token[];
  #at = 0;
  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }
  get next(): Token | undefined {
    return this.#tokens[this.#at];
  }
  get isDone(): boolean {
    return this.#at >= this.#tokens.length;
  }
  /** Whether words or signs come next, which are taken then. */
  takes(...texts: readonly string[]): boolean {
    const isNext = texts.every((text, i) => {
      const token = this.#tokens[this.#at + i];
      return token?.text === text && token.type !== "text";
    });
    if (isNext) this.#at += texts.length;
    return isNext;
  }
  /** The next token, whatever it is. */
  take(): Token {
    const token = this.#tokens[this.#at++];
    if (!token) throw new SqlError("syntax error at end of input");
    return token;
  }
  expect(text: string): void {
    if (!this.takes(text)) this.fail();
  }
  fail(): never {
    throw new SqlError(
      this.next ? `syntax error at or near "${this.next.text}"` : "syntax error at end of input",
    );
  }
}
