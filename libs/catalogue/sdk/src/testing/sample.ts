import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "../../../../..");
/** How far back a changed folder counts as new. */
const newestCommits = 40;
/** Folders that count as changed at most, the latest first: a commit may touch them all. */
const mostChanged = 2;
/** Of entries that have not changed, one in so many is tried; which ones changes with every commit. */
const oneIn = 36;

/**
 * The entries of a kind that `npm test` proves at length: the 2 whose folders changed last, those from outside, and
 * one in 36 of the others. All of them where `npm run prove` asks for it (WHOLE_PROOF) and where there is no git history.
 */
export function sampleOf<T extends { readonly name: string }>(
  kind: "faults" | "noises",
  entries: readonly T[],
): T[] {
  const folders = changedFolders(`libs/catalogue/${kind}`);
  const turn = turnOf(oneIn);
  if (folders === undefined || turn === undefined) return [...entries];
  return entries.filter(
    ({ name }, i) =>
      i % oneIn === turn || folders.has(name) || !existsSync(join(root, "libs/catalogue", kind, name)),
  );
}

/** One of `parts` in turn, another one at each commit. All of them with WHOLE_PROOF and where there is no git history. */
export function shareOf<T>(entries: readonly T[], parts: number): T[] {
  const turn = turnOf(parts);
  return turn === undefined ? [...entries] : entries.filter((_, i) => i % parts === turn);
}

/**
 * Files that are not committed yet, and then those of the 40 newest commits, from the repository's root. Undefined: all count, as with
 * WHOLE_PROOF and where there is no git history.
 */
export function changedFiles(): readonly string[] | undefined {
  const paths = [
    git("ls-files", "--modified", "--others", "--exclude-standard"),
    git("log", `--max-count=${newestCommits}`, "--name-only", "--format="),
  ];
  return paths.includes(undefined) ? undefined : paths.join("\n").split("\n");
}

/** Folders of a directory that have changed lately. Undefined: all count. */
function changedFolders(dir: string): ReadonlySet<string> | undefined {
  const folders = changedFiles()
    ?.filter((path) => path.startsWith(`${dir}/`))
    .flatMap((path) => path.slice(dir.length + 1).split("/", 1));
  return folders && new Set([...new Set(folders)].slice(0, mostChanged));
}

function turnOf(parts: number): number | undefined {
  const head = git("rev-parse", "HEAD");
  return head === undefined ? undefined : Number.parseInt(head.slice(0, 6), 16) % parts;
}

/** What git prints; undefined: everything is to be tried, or git can't say. */
function git(...args: string[]): string | undefined {
  if (process.env["WHOLE_PROOF"] === "true") return undefined;
  try {
    return execFileSync("git", ["-C", root, ...args], { encoding: "utf8", timeout: 30_000, stdio: "pipe" });
  } catch {
    return undefined;
  }
}
