import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { terminal } from "@microremed/core";
import type { Catalogue } from "@microremed/registry";
import type { ComparedReport } from "@microremed/scoring";
import type { Context } from "../context.ts";
import { fileWords } from "../file-trouble.ts";
import { episodeFile } from "../save-episodes.ts";
import { savedReport } from "../saved-report.ts";

/** The report of a run that is saved in a directory, and its path below the one that was named. */
export interface ReadRun {
  readonly run: string;
  readonly report: ComparedReport;
}

/** Bounds what a directory can make us read. */
const mostRuns = 1_000;
const deepest = 4;

/** The runs that are saved in a directory, or in those below it. Throws `invalid-request` where there is none. */
export async function readRuns(
  context: Context,
  directory: string,
  catalogue: Catalogue,
): Promise<ReadRun[]> {
  const runs: ReadRun[] = [];
  for (const run of await foldersOfRuns(directory))
    runs.push({ run, report: await savedReport(context, join(directory, run), catalogue) });
  return runs;
}

/** The folders with a saved run, as paths below the directory; the empty one is itself. Throws as `readRuns` does. */
export async function foldersOfRuns(directory: string): Promise<string[]> {
  const folders = await foldersWithEpisodes(directory, "", deepest);
  if (folders.length > 0 && folders.length <= mostRuns) return folders;
  const expected = `expected 1 to ${mostRuns}, written with --save-path, at most ${deepest} folders deep`;
  throw terminal("invalid-request", `${directory} holds ${folders.length} saved runs; ${expected}`);
}

async function foldersWithEpisodes(directory: string, below: string, depth: number): Promise<string[]> {
  const entries = await readdir(join(directory, below), { withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => {
      throw terminal(
        "invalid-request",
        `cannot read ${directory}: ${fileWords(error)}; expected a folder that was written with --save-path, or that holds some`,
      );
    },
  );
  const own = entries.some((one) => one.isFile() && episodeFile.test(one.name)) ? [below] : [];
  if (depth === 0) return own;
  const inside: string[] = [];
  for (const { name } of entries
    .filter((one) => one.isDirectory())
    .toSorted((a, b) => (a.name < b.name ? -1 : 1)))
    inside.push(...(await foldersWithEpisodes(directory, join(below, name), depth - 1)));
  return [...own, ...inside];
}
