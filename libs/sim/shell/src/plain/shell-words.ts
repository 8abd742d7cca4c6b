import { writtenOut } from "@microremed/shell-text";
import type { WordNode } from "just-bash";
import type { Statement } from "./shell.ts";

/** The words that are a shell's own and no image's: every part of the shell asks the lists of this file. */

/** Every shell has them built in, and runs them as it runs programs. */
export const builtIn: readonly string[] = [
  "echo",
  "printf",
  "true",
  "false",
  "kill",
  "test",
  "[",
  "pwd",
  "alias",
  "unalias",
  "time",
  "history",
];

/** Programs that are part of the shell here. */
export const shellPrograms: readonly string[] = ["sh", "bash", "ash", "dash", "[", "test", "kill", "env"];

/** What ends more than one command: `break` and `continue` in a loop, `return` in a function, `exit` anywhere. */
export const leavings = ["break", "continue", "return", "exit"] as const;

/** They change the shell that runs them, or how it reads what follows: in another shell they are of no use. */
const changing = [
  ...["alias", "builtin", "cd", "declare", "eval", "exec", "export", "getopts", "let", "local", "mapfile"],
  ...["popd", "pushd", "read", "readarray", "readonly", "set", "shift", "shopt", "source", "trap", "typeset"],
  ...["umask", "unalias", "unset", "wait"],
];
/** They say what the shell that runs them knows. */
const asking = ["dirs", "hash", "type", "ulimit"];
/** A shell sets these itself, and lets no script set them for another. */
const variables =
  "_|BASH\\w*|DIRSTACK|EPOCH\\w*|E?UID|FUNCNAME|GROUPS|(HOST|MACH|OS)TYPE|LINENO|(OLD)?PWD|OPTIND|PIPESTATUS|PPID|RANDOM|SECONDS|SHELLOPTS";
/** How a shell reads words and finds programs, and what `getopts` leaves. */
const settings = "HOME|IFS|OPTARG|OPTERR|PATH";

/** Whether a variable is one that a shell sets itself. */
export const isOwnVariable = (name: string): boolean => ownVariable.test(name);
const ownVariable = new RegExp(`^(${variables})$`);

/** Whether a command changes the shell that runs it, or leaves a part of it. */
export const changesShell = (name: string): boolean => changes.has(name);
const changes: ReadonlySet<string> = new Set([...changing, ...leavings, "."]);

/** Commands that no image has. */
export const ownCommands: readonly string[] = [...builtIn, ...changes, ...asking, "command"];

/**
 * Whether statements, or what their text says, change how a shell reads or runs what follows, or need what a shell sets by
 * itself: then they are a matter for the whole shell.
 */
export function needsWholeShell(text: string, statements: readonly Statement[]): boolean {
  if (ofTheWholeShell.test(text)) return true;
  return [...namesIn(statements)].some((name) =>
    name === undefined ? anyOfTheShell.test(text) : ofTheShell.has(name),
  );
}
const ofTheWholeShell = new RegExp(
  ["[^\\t\\n\\x20-\\x7e]", `\\b(${settings}|${variables}|printf\\s+-v)\\b`, "(^|[\\s;&|({])\\.\\s"].join("|"),
);
const ofTheShell: ReadonlySet<string> = new Set([...changing, ...asking, "."]);
const anyOfTheShell = new RegExp(`\\b(${[...changing, ...asking].join("|")})\\b`);

/** The names of all commands, also inside of others; undefined: it is not written out. */
function* namesIn(node: unknown): Generator<string | undefined> {
  if (typeof node !== "object" || node === null) return;
  const { type, name } = node as { readonly type?: unknown; readonly name?: WordNode | null };
  if (type === "SimpleCommand" && name) yield writtenOut({ parts: name.parts.map(asLiteral) });
  for (const inner of Object.values(node)) yield* namesIn(inner);
}

/** The name of `[` is a pattern to the parser. */
const asLiteral = (part: WordNode["parts"][number]): WordNode["parts"][number] =>
  part.type === "Glob" ? { type: "Literal", value: part.pattern } : part;
