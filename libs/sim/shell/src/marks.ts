import type { ScriptNode } from "just-bash";

/**
 * Behind the path of a file that a command sends its output to. just-bash checks whether the file is there, and then opens
 * it: an error of the check is the command's, one of opening ends the script. So a file with this mark is opened when
 * just-bash checks it.
 */
export const mark = { over: "/.sent-over", more: "/.sent-more" } as const;
/** Such a path. */
export const marked = /\/\.sent-(over|more)$/;
/** POSIX: a shell ends when one of these cannot be redirected; bash only as `sh`. */
const special = new Set(
  ". : break continue eval exec exit export readonly return set shift times trap unset".split(" "),
);
const operators: Readonly<Record<string, string>> = {
  ">": mark.over,
  ">|": mark.over,
  "&>": mark.over,
  ">>": mark.more,
  "&>>": mark.more,
};

interface Word {
  readonly type: string;
  readonly parts?: readonly { readonly type: string; readonly value?: unknown }[];
}

/** A script in which the files that take output are marked, for `openedFirst`. */
export function withMarks(script: ScriptNode, shell: "sh" | "bash"): ScriptNode {
  const visit = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(visit);
    if (typeof part !== "object" || part === null) return part;
    const entries = Object.entries(part)
      .filter(([name]) => name !== "sourceText")
      .map(([name, inner]) => [name, visit(inner)]);
    const copy = Object.fromEntries(entries) as { redirections?: Redirection[]; name?: Word | null };
    const ends = shell === "sh" && special.has(literalOf(copy.name));
    return copy.redirections && !ends ? { ...copy, redirections: copy.redirections.map(sentOn) } : copy;
  };
  return visit(script) as ScriptNode;
}

interface Redirection {
  readonly operator: string;
  readonly target: Word;
}

function sentOn(redirection: Redirection): Redirection {
  const { operator, target } = redirection;
  const parts = target.type === "Word" ? (target.parts ?? []) : [];
  const value = operators[operator];
  // The shell knows its devices by their names.
  const isDevice = literalOf(target).startsWith("/dev/");
  if (value === undefined || parts.length === 0 || isDevice || parts.some(({ type }) => type === "Glob"))
    return redirection;
  return { ...redirection, target: { ...target, parts: [...parts, { type: "Literal", value }] } };
}

const literalOf = (word: Word | null | undefined): string => {
  const value = word?.parts?.[0]?.value;
  return typeof value === "string" ? value : "";
};
