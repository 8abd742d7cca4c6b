import { existsSync } from "node:fs";
import { join } from "node:path";
import { foldersIn } from "./folders-in.ts";
import { type LoadedKind, loadedKinds, otherFolders } from "./kinds.ts";
import { unreadable } from "./regular-file.ts";
import type { Wrong } from "./wrong.types.ts";

/** An entry's file, not yet read. */
export interface FoundEntry {
  readonly kind: LoadedKind;
  /** Name of its folder. */
  readonly folder: string;
  readonly file: string;
}

/** An entry and where it stands. */
export interface Placed<T> {
  readonly entry: T;
  readonly file: string;
}

/** Files of which one has an entry's code. */
export const codeFiles: readonly string[] = ["index.ts", "index.js", "index.mjs"];

/** The entries below a directory `<dir>/<kind>/<name>/`, and what stands there that is none. Links are followed. */
export function findEntries(dir: string): { found: FoundEntry[]; problems: Wrong[] } {
  const found: FoundEntry[] = [];
  const problems: Wrong[] = [];
  for (const kind of Object.keys(loadedKinds) as LoadedKind[]) {
    const names = kind === "suites" ? [...codeFiles, "suite.yaml"] : codeFiles;
    const listing = foldersIn(join(dir, kind));
    problems.push(...listing.problems);
    for (const folder of listing.folders) {
      const file = onlyFile(join(dir, kind, folder), names);
      if (typeof file === "string") found.push({ kind, folder, file });
      else problems.push(file);
    }
  }
  return { found, problems };
}

/** The one file of these names in an entry's folder, or why there is none to read. */
export function onlyFile(folder: string, names: readonly string[]): string | Wrong {
  const problem = (expected: string): Wrong => ({ place: folder, field: "", expected });
  const there = names.filter((name) => existsSync(join(folder, name)));
  const [name] = there;
  if (name === undefined) return problem(`one of the files ${names.join(", ")}`);
  if (there.length > 1) return problem(`one of the files ${names.join(", ")}, not ${there.join(" and ")}`);
  const file = join(folder, name);
  return unreadable(file) ?? file;
}

/** Folders of a user's directory that are no kind: a slip of the pen would load nothing and say nothing. */
export function strayFolders(dir: string): Wrong[] {
  const known = [...Object.keys(loadedKinds), ...otherFolders];
  const { folders, problems } = foldersIn(dir);
  return [
    ...problems.filter(({ place }) => !known.some((name) => place === join(dir, name))),
    ...folders
      .filter((name) => !known.includes(name))
      .map((name) => ({ place: join(dir, name), field: "", expected: `a folder named ${known.join(", ")}` })),
  ];
}
