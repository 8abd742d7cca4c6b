import { lstatSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { inWords } from "./in-words.ts";
import type { Wrong } from "./wrong.types.ts";

/** Most things in one directory: each is read, loaded and kept. */
const mostNames = 2_000;

/** Folders beside entries that are none: a package's own. */
const notEntries = new Set(["src", "node_modules", "testing"]);

/** What a directory holds; nothing where there is none. */
export interface Listing {
  /** Folders, and links to folders. Sorted. */
  readonly folders: readonly string[];
  readonly files: readonly string[];
  readonly problems: readonly Wrong[];
}

/** Lists a directory, links followed, without what is hidden or belongs to a package. */
export function foldersIn(dir: string, ignored: ReadonlySet<string> = notEntries): Listing {
  const nothing = (expected: Wrong["expected"]): Listing => ({
    folders: [],
    files: [],
    problems: [{ place: dir, field: "", expected }],
  });
  try {
    if (!lstatSync(dir, { throwIfNoEntry: false })) return { folders: [], files: [], problems: [] };
    const stat = statSync(dir, { throwIfNoEntry: false });
    if (!stat?.isDirectory()) return nothing("a folder, not a file or a link that leads nowhere");
    const names = readdirSync(dir).filter((name) => !name.startsWith(".") && !ignored.has(name));
    if (names.length > mostNames) return nothing(`at most ${mostNames} entries, not ${names.length}`);
    return sorted(dir, names.sort());
  } catch (thrown) {
    return nothing({ sentence: inWords(thrown) });
  }
}

function sorted(dir: string, names: readonly string[]): Listing {
  const folders: string[] = [];
  const files: string[] = [];
  const problems: Wrong[] = [];
  for (const name of names) {
    const path = join(dir, name);
    const to = targetOf(path);
    if (to === undefined) problems.push({ place: path, field: "", expected: "a link that leads somewhere" });
    else (to.isDirectory() ? folders : files).push(name);
  }
  return { folders, files, problems };
}

/** What a path leads to; undefined: nothing, as with a broken link or links in a circle. */
function targetOf(path: string) {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
