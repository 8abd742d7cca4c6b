import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { lexer, type Token } from "marked";

/** The root of the repository. */
export const root = join(import.meta.dirname, "..", "..");

/** A Markdown page: its path from the root, and its parts in order. */
export interface Page {
  readonly path: string;
  readonly tokens: readonly Token[];
}

/** Prompts and recorded texts are Markdown too, but no pages. */
const notPages = /\/(prompts|testdata|fixtures|parity)\//;

/** Every tracked or new file of the repository, by path from its root. */
export function repositoryFiles(): readonly string[] {
  const listed = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 64 * 2 ** 20,
  });
  return listed.split("\n").filter((path) => path !== "");
}

/** Every page of the repository. */
export function pages(): readonly Page[] {
  return repositoryFiles()
    .filter((path) => path.endsWith(".md") && !notPages.test(path))
    .map((path) => ({ path, tokens: lexer(readFileSync(join(root, path), "utf8")) }));
}
