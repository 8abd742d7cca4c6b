import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "../../../../..");
/** How far back a changed folder counts as new. */
const newestCommits = 40;
/** Folders that count as changed at most, the latest first: a commit may touch them all. */
const mostChanged = 15;
/** Of entries that have not changed, one in so many is tried; which ones changes with every commit. */
const oneIn = 3;

/**
 * The entries of a kind that `npm test` proves at length: the 15 whose folders changed last, those from outside, and a
 * third of the others. All of them where `npm run prove` asks for it (WHOLE_PROOF) and where there is no git history.
 */
export function sampleOf<T extends { readonly name: string }>(
  kind: "faults" | "noises",
  entries: readonly T[],
): T[] {
  const changes = process.env["WHOLE_PROOF"] === "true" ? undefined : changesIn(`libs/catalogue/${kind}`);
  if (changes === undefined) return [...entries];
  return entries.filter(
    ({ name }, i) =>
      i % oneIn === changes.turn ||
      changes.folders.has(name) ||
      !existsSync(join(root, "libs/catalogue", kind, name)),
  );
}

/** Folders of a directory that are in the newest commits or are not committed yet. Undefined: git can't say. */
function changesIn(
  dir: string,
): { readonly folders: ReadonlySet<string>; readonly turn: number } | undefined {
  const git = (...args: string[]): string =>
    execFileSync("git", ["-C", root, ...args], { encoding: "utf8", timeout: 30_000, stdio: "pipe" });
  try {
    const head = git("rev-parse", "HEAD");
    // What is not committed first, then the newest commits.
    const paths = [
      git("ls-files", "--modified", "--others", "--exclude-standard"),
      git("log", `--max-count=${newestCommits}`, "--name-only", "--format="),
    ];
    const folders = paths
      .join("\n")
      .split("\n")
      .filter((path) => path.startsWith(`${dir}/`))
      .flatMap((path) => path.slice(dir.length + 1).split("/", 1));
    const newest = [...new Set(folders)].slice(0, mostChanged);
    return { folders: new Set(newest), turn: Number.parseInt(head.slice(0, 6), 16) % oneIn };
  } catch {
    return undefined;
  }
}
