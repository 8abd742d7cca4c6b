import type { ScriptNode, SimpleCommandNode, WordNode } from "just-bash";
import { hiddenCode } from "./hidden-code.ts";

/** One simple command of a script: its words with quotes taken off, and the files that its output is sent to. */
export interface ShellCommand {
  /** Assignments before the command are words too: `A=1`. */
  readonly words: readonly string[];
  readonly writesTo: readonly string[];
}

type Part = WordNode["parts"][number];

/** Before what a shell puts in: one word's text (quoted), or text of which it may make several words. Of no script. */
export const filled = { within: "\ue000", split: "\ue001" } as const;
const anyFilled = /[\ue000\ue001]/g;

/** A word as it was written. */
export const asWritten = (word: string): string => word.replace(anyFilled, "");

/**
 * The simple commands of a shell script in order, those inside of other commands, of functions, of substitutions and of
 * here-documents included. A reading aid, not a shell: variables stay as written, `$()` takes the place of a substitution.
 * Undefined when the text is no script that bash would start. `marks`: what a shell puts in has a mark of `filled` before it.
 */
export async function shellCommands(
  script: string,
  { marks = false } = {},
): Promise<ShellCommand[] | undefined> {
  if (script.search(anyFilled) >= 0) return undefined;
  const { parse } = await import("just-bash");
  const found: ShellCommand[] = [];
  try {
    visit(parse(script), found, parse);
  } catch {
    // A syntax error, or a script that is too large or nested too deeply.
    return undefined;
  }
  if (marks) return found;
  return found.map(({ words, writesTo }) => ({
    words: words.map(asWritten),
    writesTo: writesTo.map(asWritten),
  }));
}

/** Why a shell script could run text that cannot be seen in it (`hiddenCode`). Undefined too when it cannot be read. */
export async function hiddenIn(script: string): Promise<string | undefined> {
  const { parse } = await import("just-bash");
  try {
    return hiddenCode(parse(script));
  } catch {
    return undefined;
  }
}

/** Whether a shell script starts something that it does not wait for, with `&`. False when it cannot be read. */
export async function hasBackground(script: string): Promise<boolean> {
  const { parse } = await import("just-bash");
  try {
    return isLeft(parse(script));
  } catch {
    return false;
  }
}

function isLeft(node: unknown): boolean {
  if (typeof node !== "object" || node === null) return false;
  return ("background" in node && node.background === true) || Object.values(node).some(isLeft);
}

/** Substitutions come before the command that uses them, as when it runs. */
function visit(node: unknown, found: ShellCommand[], parse: Parse): void {
  if (typeof node !== "object" || node === null) return;
  for (const value of Object.values(node)) visit(value, found, parse);
  // The one substitution that the parser leaves as text: `$(( $(command) ))`.
  if (hasType(node, "ArithCommandSubst")) visit(parse((node as { command: string }).command), found, parse);
  else if (hasType(node, "SimpleCommand")) found.push(commandOf(node as SimpleCommandNode));
  else if ("redirections" in node) {
    const writesTo = filesOf(node.redirections as Redirections);
    if (writesTo.length > 0) found.push({ words: [], writesTo });
  }
}

type Parse = (script: string) => ScriptNode;

function hasType(node: object, type: string): boolean {
  return "type" in node && node.type === type;
}

function commandOf({ assignments, name, args, redirections }: SimpleCommandNode): ShellCommand {
  const set = assignments.map((one) => `${one.name}=${one.value ? textOf(one.value.parts) : ""}`);
  return {
    words: [
      ...set,
      ...(name ? [name] : []).map(({ parts }) => textOf(parts)),
      ...args.map(({ parts }) => textOf(parts)),
    ],
    writesTo: filesOf(redirections),
  };
}

type Redirections = SimpleCommandNode["redirections"];

/** Where output goes. `>&1` is `&1`: another descriptor and no file. */
function filesOf(redirections: Redirections): string[] {
  return redirections.flatMap(({ operator, target }) => {
    if (target.type === "HereDoc" || !operator.includes(">")) return [];
    const text = textOf(target.parts);
    return [operator === ">&" && /^[\d-]+$/.test(text) ? `&${text}` : text];
  });
}

function textOf(parts: readonly Part[], mark: string = filled.split): string {
  return parts.map((part) => partText(part, mark)).join("");
}

function partText(part: Part, mark: string): string {
  switch (part.type) {
    case "Literal":
    case "SingleQuoted":
    case "Escaped":
      return part.value;
    case "DoubleQuoted":
      return textOf(part.parts, filled.within);
    case "Glob":
      return /[*?]|\[.+\]/.test(part.pattern) ? `${filled.within}${part.pattern}` : part.pattern;
    case "TildeExpansion":
      return `~${part.user ?? ""}`;
    case "ParameterExpansion":
      return `${mark}$${part.parameter}`;
    case "ArithmeticExpansion":
      return "0";
    case "BraceExpansion":
      return `${filled.split}{${part.items.map(itemText).join(",")}}`;
    case "CommandSubstitution":
    case "ProcessSubstitution":
      return `${mark}$()`;
    default:
      return part satisfies never;
  }
}

type BraceItem = Extract<Part, { type: "BraceExpansion" }>["items"][number];

function itemText(item: BraceItem): string {
  return item.type === "Word" ? textOf(item.word.parts) : `${item.start}..${item.end}`;
}
