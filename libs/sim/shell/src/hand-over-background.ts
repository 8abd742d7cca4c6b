import { shellWord } from "@microremed/core";
import { backgroundCommand } from "./container/background-command.ts";

interface Parser {
  parse(script: string): unknown;
  serialize(script: never): string;
}
interface Statement {
  readonly type: "Statement";
  readonly background: boolean;
}

/**
 * A script in which every command that is left in the background, with its output sent elsewhere, is handed over to the
 * container: the shell ends without it. One whose output is the exec's keeps the exec open, as the runtime does, so it
 * stays as it is; so does a script that waits for its commands, and one that cannot be parsed.
 */
export function handOverBackground(script: string, { parse, serialize }: Parser): string {
  if (!/&/.test(script) || /\bwait\b/.test(script)) return script;
  let found = 0;
  const visit = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(visit);
    if (typeof part !== "object" || part === null) return part;
    if (isBackground(part)) {
      const text = textOf(serialize, { ...part, background: false });
      if (isDetached(text)) {
        found += 1;
        return firstOf(parse(`${backgroundCommand} ${shellWord(text)}`));
      }
    }
    return Object.fromEntries(Object.entries(part).map(([name, inner]) => [name, visit(inner)]));
  };
  try {
    const rewritten = visit(parse(script)) as never;
    return found > 0 ? serialize(rewritten) : script;
  } catch {
    // The shell itself says what is wrong with it.
    return script;
  }
}

const isBackground = (part: object): part is Statement =>
  "type" in part && part.type === "Statement" && "background" in part && part.background === true;

/** Both streams go elsewhere. */
const isDetached = (text: string): boolean => /&>|>&\s*\/|(>\s*\S+[\s\S]*2>)|(2>[\s\S]*[^2]>)/.test(text);

const textOf = (serialize: Parser["serialize"], statement: object): string =>
  serialize({ type: "Script", statements: [statement] } as never);

const firstOf = (script: unknown): unknown => (script as { statements: unknown[] }).statements[0];
