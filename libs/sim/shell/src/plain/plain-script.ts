import type { ScriptNode } from "just-bash";
import { compileStatements } from "./compile.ts";
import type { Step } from "./shell.ts";

/** Probes send the same few scripts again and again; what one cluster's clients send is bounded by this. */
const mostKept = 500;
const kept = new Map<string, Step | undefined>();

/**
 * Words that change how a shell reads or runs what follows, or that it sets by itself. A script with one of them in any
 * place is a matter for the whole shell.
 */
export const ofTheWholeShell =
  /[^\t\n\x20-\x7e]|\b(alias|builtin|cd|declare|dirs|eval|exec|export|getopts|hash|IFS|let|local|mapfile|popd|pushd|read|readarray|readonly|set|shift|shopt|source|trap|type|typeset|umask|unalias|unset|wait|printf\s+-v|PATH|PWD|OLDPWD|HOME|PPID|RANDOM|SECONDS|LINENO|E?UID|SHELLOPTS|PIPESTATUS|FUNCNAME|DIRSTACK|GROUPS|BASH\w*|EPOCH\w*|OPT\w+)\b|(^|[\s;&|({])\.\s/;

/**
 * A script of programs, conditions, `for` loops and functions, ready to run without a shell; undefined where it has
 * anything else. The whole shell costs most of a millisecond a command.
 */
export function plainScript(script: string, parse: (script: string) => ScriptNode): Step | undefined {
  if (kept.has(script)) return kept.get(script);
  const [oldest] = kept.keys();
  if (kept.size >= mostKept && oldest !== undefined) kept.delete(oldest);
  const step = compiled(script, parse);
  kept.set(script, step);
  return step;
}

function compiled(script: string, parse: (script: string) => ScriptNode): Step | undefined {
  if (ofTheWholeShell.test(script)) return undefined;
  try {
    return compileStatements(parse(script).statements);
  } catch {
    // The whole shell says what is wrong with one that cannot be parsed.
    return undefined;
  }
}
