import { TemplateError } from "./template-error.ts";
import { type Token, tokensOf } from "./tokens.ts";

export type Variables = Readonly<Record<string, unknown>>;

/** A place in an expression, and the values of its names. */
export interface Cursor {
  readonly text: string;
  readonly variables: Variables;
  /** How many expressions are open around this place. */
  depth: number;
  peek(): Token | undefined;
  /** The token after the next. */
  after(): Token | undefined;
  /** Whether the next token is this word, and no string. */
  is(word: string): boolean;
  /** The same; goes past it if so. */
  take(word: string): boolean;
  /** Goes past this word. Throws TemplateError where another stands. */
  expect(word: string): void;
  skip(): void;
  /** Goes past the next token; its text. */
  next(): string;
}

export function createCursor(text: string, variables: Variables): Cursor {
  const tokens = tokensOf(text);
  let at = 0;
  const cursor: Cursor = {
    text,
    variables,
    depth: 0,
    peek: () => tokens[at],
    after: () => tokens[at + 1],
    is: (word) => tokens[at]?.text === word && tokens[at]?.kind !== "string",
    take(word) {
      if (!cursor.is(word)) return false;
      at += 1;
      return true;
    },
    expect(word) {
      if (!cursor.take(word))
        throw new TemplateError(
          `template error: expected ${JSON.stringify(word)} in ${JSON.stringify(text)}`,
        );
    },
    skip() {
      at += 1;
    },
    next() {
      at += 1;
      return tokens[at - 1]?.text ?? "";
    },
  };
  return cursor;
}
