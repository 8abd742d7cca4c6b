const scriptName = /\.(sh|bash|py|rb|pl|php|js|mjs|cjs)$/;

/** Whether a file is a program that an interpreter runs. */
export const isScript = (name: string, text: string): boolean =>
  scriptName.test(name) || text.startsWith("#!");

/**
 * Of the files of an object that is mounted those that count for a pod with these commands: where they name some of its files, no other
 * script than those and what they name themselves. What is no script counts always.
 */
export function filesThatCount(
  data: Readonly<Record<string, string>>,
  commands: string,
): readonly (readonly [string, string])[] {
  const all = Object.entries(data);
  const named = new Set(namedIn(commands, all));
  if (named.size === 0) return all;
  // Grows while it is gone through.
  for (const name of named) for (const other of namedIn(data[name] ?? "", all)) named.add(other);
  return all.filter(([name, text]) => named.has(name) || !isScript(name, text));
}

/** A file's name comes after a path or by itself. */
function namedIn(text: string, files: readonly (readonly [string, string])[]): string[] {
  const words = new Set(text.split(/[\s/"'`=;&|()<>,]+/));
  return files.flatMap(([name]) => (words.has(name) ? [name] : []));
}
