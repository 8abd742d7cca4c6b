import { normalized } from "@microremed/sim-machine";
import type { Programs } from "./shell.ts";

/** A set of single characters or ranges, as in `[!0-9a]`; other uses of a bracket mean the bracket itself. */
const tokens = /\\([\s\S])|\[([!^]?)([\w,-]+)\]|[\s\S]/g;

/** The paths that a pattern matches, in order. A backslash takes a character's meaning away. */
export async function pathsMatching(
  { files, cwd }: Pick<Programs, "files" | "cwd">,
  pattern: string,
): Promise<readonly string[]> {
  let found = [pattern.startsWith("/") ? "/" : ""];
  for (const { wanted, literal, showsHidden } of partsOf(pattern)) {
    const below = await Promise.all(
      found.map(async (base) => {
        const names = wanted ? await namesIn(files, normalized(base, cwd)) : [literal];
        const prefix = base === "" || base.endsWith("/") ? base : `${base}/`;
        return names
          .filter((name) => !wanted || (wanted.test(name) && (showsHidden || !name.startsWith("."))))
          .map((name) => `${prefix}${name}`);
      }),
    );
    found = below.flat();
  }
  const there = await Promise.all(found.map((path) => files.exists(normalized(path, cwd))));
  return found.filter((_, at) => there[at]).sort();
}

/** A part of a pattern, between two slashes. */
interface Part {
  /** Undefined: the part means itself, as `literal` has it. */
  readonly wanted: RegExp | undefined;
  readonly literal: string;
  readonly showsHidden: boolean;
}

/** Probes ask for the same few again and again. */
const mostKept = 200;
const kept = new Map<string, readonly Part[]>();

function partsOf(pattern: string): readonly Part[] {
  const known = kept.get(pattern);
  if (known) return known;
  const parts = pattern
    .split("/")
    .filter((part, at) => part !== "" || at > 0)
    .map((part) => ({
      wanted: /(?<!\\)[*?[]/.test(part) ? matcher(part) : undefined,
      literal: part.replace(/\\([\s\S])/g, "$1"),
      showsHidden: part.startsWith("."),
    }));
  if (kept.size >= mostKept) kept.clear();
  kept.set(pattern, parts);
  return parts;
}

async function namesIn(files: Programs["files"], path: string): Promise<readonly string[]> {
  try {
    return await files.readdir(path);
  } catch {
    return [];
  }
}

function matcher(part: string): RegExp {
  const source = part.replace(tokens, (token, escaped?: string, not?: string, set?: string) => {
    if (set !== undefined) return `[${not ? "^" : ""}${set}]`;
    if (escaped === undefined && token === "*") return ".*";
    if (escaped === undefined && token === "?") return ".";
    return (escaped ?? token).replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  });
  return new RegExp(`^${source}$`, "s");
}
