import { allows } from "../policy.ts";
import type { Rule } from "../rule.ts";
import { type FoundText, textsIn } from "../texts-in.ts";

/** Fields that hold expressions without braces around them. */
const expressions = /^(?:when|until|changed_when|failed_when|that|loop|var|with_\w+)$/;
/** Filters and tests that read files or the environment. */
const readers =
  /\|\s*(?:ansible\.builtin\.)?(fileglob|expandvars|expanduser|realpath|unvault)\b|\bis\s+(?:not\s+)?(?:ansible\.builtin\.)?(exists|file|directory|link|mount|same_file|link_exists)\b/;
const calls =
  /\b(?:lookup|query|q)\s*\(\s*(?:(['"])([\w.]+)\1\s*(?:,\s*(['"])([^'"]*)\3\s*(?=\)|,\s*\w+\s*=))?)?/g;
const asValue = /\b(?:lookup|query)\b(?!\s*\()/;

/** No template reads the machine or its environment, by whatever way there is in Jinja. */
export const lookups: Rule = ({ fields, args }, { policy }) => {
  if (policy.lookups.includes("*")) return undefined;
  const allowed = (name: string, argument?: string): boolean =>
    allows(policy.lookups, name) || (argument !== undefined && allows(policy.lookups, `${name} ${argument}`));
  for (const key of Object.keys(fields)) {
    const name = /^with_(\w+(?:\.\w+)*)$/.exec(key)?.[1];
    if (name !== undefined && !allowed(name)) return `the loop with_${name} is not among those allowed`;
  }
  for (const found of textsIn([fields, args])) {
    const trouble = inText(found, allowed);
    if (trouble !== undefined) return trouble;
  }
  return undefined;
};

function inText(
  { key, text }: FoundText,
  allowed: (name: string, argument?: string) => boolean,
): string | undefined {
  const code = expressions.test(key)
    ? text
    : (text.match(/\{\{[\s\S]*?\}\}|\{%[\s\S]*?%\}/g) ?? []).join("\n");
  if (code === "") return undefined;
  for (const [call, , written, , argument] of code.matchAll(calls)) {
    const name = written?.replace(/^ansible\.builtin\./, "").replace(/^k8s$/, "kubernetes.core.k8s");
    if (name === undefined) return `the text does not show which lookup ${call.trim()}...) is`;
    if (!allowed(name, argument))
      return `the lookup ${call.trim().slice(0, 100)}) reads what is not the arena's`;
  }
  const reader = readers.exec(withoutStrings(code));
  if (reader) return `${reader[0].trim()} reads the machine that runs the playbook`;
  if (/\{%-?\s*(?:include|import|from|extends)\b/.test(code)) return "a template may not include other files";
  if (asValue.test(withoutStrings(code))) return "lookup and query may only be called by their names";
  if (/__\w+__|\|\s*attr\b/.test(code)) return "a template may not reach for Python's own attributes";
  return undefined;
}

function withoutStrings(code: string): string {
  return code.replace(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/g, "''");
}
