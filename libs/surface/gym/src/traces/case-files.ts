import { mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { harnessVersion, parseJson, terminal } from "@microremed/core";
import type { CaseTraces, TraceRecipe } from "./trace.types.ts";

/** Written first: what a folder has traces of. */
const recipeFile = "traces.json";
/** A file for each finished case, so that an interrupted command goes on where it stopped. */
const doneFolder = ".cases";

/** The cases of a set that are finished, one file each: it is there as a whole or not at all. */
export interface CaseFiles {
  /** Undefined: not finished. */
  read(index: number): Promise<CaseTraces | undefined>;
  write(one: CaseTraces): Promise<void>;
}

/** Makes a folder this recipe's, or finds that it is. Throws `invalid-request` for one that holds something else. */
export async function openCaseFiles(directory: string, recipe: TraceRecipe): Promise<CaseFiles> {
  await mkdir(directory, { recursive: true });
  const path = join(directory, recipeFile);
  const text = `${JSON.stringify({ version: 1, harness: harnessVersion, ...recipe }, null, 2)}\n`;
  const known = await readFile(path, "utf8").catch(() => undefined);
  if (known === undefined && (await readdir(directory)).length > 0)
    throw terminal("invalid-request", `${directory} is not empty and holds no traces; name another folder`);
  if (known !== undefined && known !== text)
    throw terminal(
      "invalid-request",
      `${directory} holds traces that were made with other options or another version (${recipeFile}); name another folder`,
    );
  const folder = join(directory, doneFolder);
  await mkdir(folder, { recursive: true });
  await writeFile(path, text);
  const fileOf = (index: number): string => join(folder, `${String(index).padStart(6, "0")}.json`);
  return {
    async read(index) {
      const found = await readFile(fileOf(index), "utf8").catch(() => undefined);
      // Only this program writes there, and whole.
      return found === undefined ? undefined : (parseJson(found) as CaseTraces | undefined);
    },
    async write(one) {
      await writeFile(`${fileOf(one.index)}.part`, JSON.stringify(one));
      await rename(`${fileOf(one.index)}.part`, fileOf(one.index));
    },
  };
}
