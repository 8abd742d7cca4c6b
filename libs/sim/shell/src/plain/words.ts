import type { WordNode } from "just-bash";
import { arithmetic } from "./arithmetic.ts";
import { after, inTurn, type Soon } from "./in-turn.ts";
import { pathsMatching } from "./paths.ts";
import { NotPlain, type PlainShell, type Statement, variableOf } from "./shell.ts";

type Part = WordNode["parts"][number];
type Text = (shell: PlainShell) => Soon<string>;
/** The fields that a word becomes. */
export type Fields = (shell: PlainShell) => Soon<readonly string[]>;
interface Piece {
  readonly text: Text;
  readonly quoted: boolean;
}
/** Compiles the statements of a command substitution to what they print. */
export type Substitution = (statements: readonly Statement[]) => Text;

const variable = /^[A-Za-z_]\w*$/;

/** A word as one text: of an assignment, or what `case` compares. */
export function textOf(word: WordNode, substitution: Substitution): Text {
  return joined(piecesOf(word.parts, substitution).map(({ text }) => text));
}

/** A word of a command, which may become any number of fields. */
export function fieldsOf(word: WordNode, substitution: Substitution): Fields {
  if (isAllArguments(word)) return ({ args }) => args;
  const pieces = piecesOf(word.parts, substitution);
  if (pieces.every(({ quoted }) => quoted)) {
    const text = joined(pieces.map((piece) => piece.text));
    return (shell) => after(text(shell), (value) => [value]);
  }
  return (shell) => {
    const split: Split = { fields: [], open: undefined };
    const added = inTurn(pieces, ({ text, quoted }) =>
      after(text(shell), (value) => {
        addPiece(split, value, quoted);
        return false;
      }),
    );
    return after(added, () => {
      const fields = split.open ? [...split.fields, split.open] : split.fields;
      if (!fields.some(isPattern)) return fields.map((field) => field.text);
      return Promise.all(fields.map((field) => matches(shell, field))).then((found) => found.flat());
    });
  };
}

/** `"$@"` */
function isAllArguments({ parts: [part, ...more] }: WordNode): boolean {
  if (part?.type !== "DoubleQuoted" || part.parts.length !== 1 || more.length > 0) return false;
  const [inner] = part.parts;
  return inner?.type === "ParameterExpansion" && inner.parameter === "@" && !inner.operation;
}

/** The fields of a word so far; what comes next goes on with the open one. */
interface Split {
  readonly fields: Field[];
  open: Field | undefined;
}

function addPiece(split: Split, value: string, quoted: boolean): void {
  const [first = "", ...rest] = quoted ? [value] : value.split(/[ \t\n]+/);
  const add = (part: string): void => {
    const { text, pattern } = split.open ?? { text: "", pattern: "" };
    split.open = { text: text + part, pattern: pattern + literally(part, quoted) };
  };
  if (quoted || first !== "") add(first);
  for (const part of rest) {
    if (split.open) split.fields.push(split.open);
    split.open = undefined;
    if (part !== "") add(part);
  }
}

/** A field, and the same as a pattern: what is quoted, or means nothing in a pattern, has a backslash before it. */
interface Field {
  readonly text: string;
  readonly pattern: string;
}

const literally = (text: string, quoted: boolean): string =>
  text.replace(quoted ? /[^\w/.-]/g : /[^\w/.*?[\]!^-]/g, "\\$&");

const isPattern = ({ pattern }: Field): boolean => /(?<!\\)[*?[]/.test(pattern);

/** The paths that a field matches, where it is a pattern. */
async function matches(shell: PlainShell, field: Field): Promise<readonly string[]> {
  if (!isPattern(field)) return [field.text];
  const found = await pathsMatching(shell.programs, field.pattern);
  return found.length > 0 ? found : [field.text];
}

/** A pattern of `case`. */
export function patternOf(word: WordNode): RegExp {
  const source = word.parts.map((part) => {
    if (part.type === "Glob") return globSource(part.pattern);
    return fixedText(part).replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  });
  return new RegExp(`^${source.join("")}$`, "s");
}

function globSource(pattern: string): string {
  return pattern.replace(/\[(!?)([\w,-]+)\]|[\s\S]/g, (token, not?: string, set?: string) => {
    if (set !== undefined) return `[${not ? "^" : ""}${set}]`;
    if (token === "*") return ".*";
    if (token === "?") return ".";
    throw new NotPlain();
  });
}

/** Text that is the same each time; without characters that mean something to the shell in some places. */
export function fixedText(part: Part): string {
  if (part.type === "Literal" && !/[~\\]/.test(part.value)) return part.value;
  if (part.type === "SingleQuoted" || part.type === "Escaped") return part.value;
  if (part.type === "DoubleQuoted") return part.parts.map(fixedText).join("");
  throw new NotPlain();
}

function piecesOf(parts: readonly Part[], substitution: Substitution): readonly Piece[] {
  return parts.map((part): Piece => {
    switch (part.type) {
      case "Glob":
        return { text: () => part.pattern, quoted: false };
      case "ParameterExpansion":
        return { text: expansion(part), quoted: false };
      case "CommandSubstitution":
        return { text: substitution(part.body.statements), quoted: false };
      case "ArithmeticExpansion":
        return { text: arithmetic(part.expression), quoted: false };
      case "DoubleQuoted":
        return { text: joined(piecesOf(part.parts, substitution).map(({ text }) => text)), quoted: true };
      default: {
        const text = fixedText(part);
        return { text: () => text, quoted: true };
      }
    }
  });
}

function joined(texts: readonly Text[]): Text {
  const [only] = texts;
  if (texts.length === 1 && only) return only;
  return (shell) => {
    let all = "";
    const added = inTurn(texts, (text) =>
      after(text(shell), (value) => {
        all += value;
        return false;
      }),
    );
    return after(added, () => all);
  };
}

/** `$NAME`, or `${NAME:-word}` with a word that means the same quoted and unquoted. */
function expansion({ parameter: name, operation }: Extract<Part, { type: "ParameterExpansion" }>): Text {
  const value = parameter(name);
  if (!operation) return value;
  if (operation.type !== "DefaultValue" || !operation.checkEmpty) throw new NotPlain();
  const otherwise = operation.word.parts.map(fixedText).join("");
  if (!/^[\w./:@%+,-]*$/.test(otherwise)) throw new NotPlain();
  return (shell) => after(value(shell), (text) => text || otherwise);
}

function parameter(name: string): Text {
  if (name === "?") return ({ code }) => String(code);
  if (/^[1-9]$/.test(name)) return ({ args }) => args[Number(name) - 1] ?? "";
  if (!variable.test(name)) throw new NotPlain();
  return (shell) => variableOf(shell, name);
}
