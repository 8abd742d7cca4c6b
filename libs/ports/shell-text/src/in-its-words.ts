import type { ScriptNode } from "just-bash";

/** just-bash's parser, and its printer. */
export interface Language {
  parse(script: string): ScriptNode;
  serialize(script: ScriptNode): string;
}

interface Part {
  readonly type: string;
  readonly value?: string;
  readonly parts?: readonly Part[];
}
interface Word {
  readonly type: "Word";
  readonly parts: readonly Part[];
}
interface Command {
  readonly type: "SimpleCommand";
  readonly name: Word | null;
  readonly args: readonly Word[];
}

const greps = new Set(["grep", "egrep", "fgrep"]);

/**
 * A script in the words in which just-bash's programs do what the usual ones do: several patterns of `grep` as one with lines, of which it
 * takes the last alone, backslashes in what `sed` puts in, which it reads twice, and options of `xargs` apart from their values. One that
 * cannot be parsed stays as it is.
 */
export function inItsWords(script: string, { parse, serialize }: Language): string {
  if (!/\b[ef]?grep\b.*\s-e[\s\S]*\s-e|\bsed\b[\s\S]*\\\\|\bxargs\b.*\s-[nIPd][^\s]/.test(script))
    return script;
  let found = 0;
  const visit = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(visit);
    if (typeof part !== "object" || part === null) return part;
    const inner = Object.fromEntries(Object.entries(part).map(([name, value]) => [name, visit(value)]));
    if (!isCommand(inner)) return inner;
    const args = rewritten(inner);
    if (args === inner.args) return inner;
    found += 1;
    return { ...inner, args };
  };
  try {
    const whole = visit(parse(script)) as never;
    return found > 0 ? serialize(whole) : script;
  } catch {
    return script;
  }
}

const isCommand = (part: unknown): part is Command => (part as Command).type === "SimpleCommand";

function rewritten({ name, args }: Command): readonly Word[] {
  const program = (name && writtenOut(name))?.split("/").pop() ?? "";
  if (greps.has(program)) return withOnePattern(args);
  if (program === "xargs") return withValuesApart(args);
  return program === "sed" ? args.map(withReadTwice) : args;
}

/** The text of a word that is written out; undefined: some of it is put in when it runs. */
export function writtenOut({ parts }: { readonly parts: readonly Part[] }): string | undefined {
  const texts = parts.map((part) => {
    if (part.type === "Literal" || part.type === "SingleQuoted" || part.type === "Escaped") return part.value;
    return part.type === "DoubleQuoted" ? writtenOut({ parts: part.parts ?? [] }) : undefined;
  });
  return texts.every((text) => text !== undefined) ? texts.join("") : undefined;
}

const ofText = (value: string): Word => ({ type: "Word", parts: [{ type: "SingleQuoted", value }] });

/** The arguments with all patterns in the place of the first. */
function withOnePattern(args: readonly Word[]): readonly Word[] {
  const patterns: Word[] = [];
  const others: Word[] = [];
  let at: number | undefined;
  for (let i = 0; i < args.length; i++) {
    const [word, next] = [args[i], args[i + 1]];
    if (!word) continue;
    const text = writtenOut(word);
    if (text === "--") {
      others.push(...args.slice(i));
      break;
    }
    if (text === "-e" && next) {
      at ??= others.length;
      patterns.push(next);
      i++;
    } else others.push(word);
  }
  const [first, ...more] = patterns;
  if (!first || more.length === 0) return args;
  const joined = more.flatMap(({ parts }): Part[] => [{ type: "SingleQuoted", value: "\n" }, ...parts]);
  const pattern: Word = { type: "Word", parts: [...first.parts, ...joined] };
  return [...others.slice(0, at), ofText("-e"), pattern, ...others.slice(at)];
}

/** Options of xargs that have a value. */
const valued = /^(-[nIPd])([\s\S]+)$/;

/** `-n1` as `-n 1`, before the program that xargs runs. */
function withValuesApart(args: readonly Word[]): readonly Word[] {
  const apart: Word[] = [];
  for (let i = 0; i < args.length; i++) {
    const word = args[i] as Word;
    const text = writtenOut(word);
    if (!text?.startsWith("-") || text === "--")
      return apart.length === i ? args : [...apart, ...args.slice(i)];
    const [, option, value] = valued.exec(text) ?? [];
    if (option !== undefined && value !== undefined) apart.push(ofText(option), ofText(value));
    else apart.push(word, ...(/^-[nIPd]$/.test(text) ? args.slice(i + 1, ++i + 1) : []));
  }
  return apart;
}

/** A command of sed that puts something in: what is before it, its delimiter, and its two parts. */
const substitution =
  /(^|[;{}\n]\s*|[\d$/!]\s*)s([^\w\s\\])((?:\\[\s\S]|(?!\2)[^\\])*)\2((?:\\[\s\S]|(?!\2)[^\\])*)\2/g;

/** A word of sed in which backslashes of what is put in are written twice. */
function withReadTwice(word: Word): Word {
  const text = writtenOut(word);
  if (text === undefined || !text.includes("\\\\")) return word;
  const twice = text.replace(
    substitution,
    (_, before: string, mark: string, pattern: string, value: string) =>
      `${before}s${mark}${pattern}${mark}${value.replaceAll("\\\\", "\\\\\\\\")}${mark}`,
  );
  return twice === text ? word : ofText(twice);
}
