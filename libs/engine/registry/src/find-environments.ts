import { join } from "node:path";
import { codeFiles, onlyFile } from "./find-entries.ts";
import { foldersIn } from "./folders-in.ts";
import type { Wrong } from "./wrong.types.ts";

/** An environment's place, not yet read. */
export interface FoundEnvironment {
  readonly name: string;
  /** Its folder; of one in code, the file with the code. */
  readonly file: string;
  readonly isCode: boolean;
}

const ignored = new Set(["node_modules"]);

/**
 * The environments of a user's directory: folders with a `model.yaml` or, `withCode`, with an `index.ts` or the like.
 */
export function findEnvironments(
  dir: string,
  withCode: boolean,
): { readonly found: readonly FoundEnvironment[]; readonly problems: readonly Wrong[] } {
  const { folders, files, problems } = foldersIn(dir, ignored);
  const places = folders.map((name) => ({
    name,
    file: onlyFile(join(dir, name), ["model.yaml", ...(withCode ? codeFiles : [])]),
  }));
  const found = places.flatMap(({ name, file }): FoundEnvironment[] => {
    if (typeof file !== "string") return [];
    const isCode = !file.endsWith("model.yaml");
    return [{ name, file: isCode ? file : join(dir, name), isCode }];
  });
  const wrong = places.flatMap(({ file }) => (typeof file === "string" ? [] : [file]));
  const stray = files
    .filter((file) => /\.ya?ml$/.test(file))
    .map((file) => ({
      place: join(dir, file),
      field: "",
      expected: "a folder with model.yaml, workload.yaml and manifests/",
    }));
  return { found, problems: [...problems, ...wrong, ...stray] };
}
