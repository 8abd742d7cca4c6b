import type { ScriptNode } from "just-bash";
import { compileStatements } from "./compile.ts";
import type { Step } from "./shell.ts";
import { needsWholeShell } from "./shell-words.ts";

/** Probes send the same few scripts again and again; what one cluster's clients send is bounded by this. */
const mostKept = 500;
const kept = new Map<string, Step | undefined>();

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
  try {
    const { statements } = parse(script);
    return needsWholeShell(script, statements) ? undefined : compileStatements(statements);
  } catch {
    // The whole shell says what is wrong with one that cannot be parsed.
    return undefined;
  }
}
