import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { type LoadedKind, loadedKinds, otherFolders } from "./kinds.ts";

/** An entry's file, not yet read. */
export interface FoundEntry {
  readonly kind: LoadedKind;
  /** Name of its folder. */
  readonly folder: string;
  readonly file: string;
}

/** A place that is wrong, and what was expected there. */
export interface Problem {
  /** File or folder. */
  readonly place: string;
  /** In it; empty: all of it. */
  readonly field: string;
  /** To be read after "expected"; or, in a sentence of its own, what is wrong. */
  readonly expected: string | { readonly sentence: string };
}

/** An entry and where it stands. */
export interface Placed<T> {
  readonly entry: T;
  readonly file: string;
}

/** Folders beside entries that are none: a package's own. */
const notEntries = new Set(["src", "node_modules", "testing"]);
const ignored = (name: string): boolean => name.startsWith(".") || notEntries.has(name);

const codeFiles = ["index.ts", "index.js", "index.mjs"];

/** The entries below a directory `<dir>/<kind>/<name>/`, and what stands there that is none. */
export function findEntries(dir: string): { found: FoundEntry[]; problems: Problem[] } {
  const found: FoundEntry[] = [];
  const problems: Problem[] = [];
  for (const kind of Object.keys(loadedKinds) as LoadedKind[]) {
    for (const folder of foldersIn(join(dir, kind))) {
      const path = join(dir, kind, folder);
      const names = kind === "suites" ? [...codeFiles, "suite.yaml"] : codeFiles;
      const file = names.map((name) => join(path, name)).find((one) => existsSync(one));
      if (file !== undefined) found.push({ kind, folder, file });
      else problems.push({ place: path, field: "", expected: `one of the files ${names.join(", ")}` });
    }
  }
  return { found, problems };
}

/** Folders of a user's directory that are no kind: a slip of the pen would load nothing and say nothing. */
export function strayFolders(dir: string): Problem[] {
  const known = [...Object.keys(loadedKinds), ...otherFolders];
  return foldersIn(dir)
    .filter((name) => !known.includes(name))
    .map((name) => ({ place: join(dir, name), field: "", expected: `a folder named ${known.join(", ")}` }));
}

function foldersIn(dir: string): string[] {
  if (!existsSync(dir)) return [];
  return readdirSync(dir, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !ignored(entry.name))
    .map(({ name }) => name)
    .sort();
}
