import { join } from "node:path";
import { codeFiles, onlyFile, type Problem } from "./find-entries.ts";
import { foldersIn } from "./folders-in.ts";
import { unreadable } from "./regular-file.ts";

/** An environment's file, not yet read. */
export interface FoundEnvironment {
  readonly name: string;
  readonly file: string;
}

const ignored = new Set(["node_modules"]);

/**
 * The environments of a user's directory: `<name>/environment.yaml`, `<name>.yaml` and, `withCode`, `<name>/index.ts`
 * or the like.
 */
export function findEnvironments(
  dir: string,
  withCode: boolean,
): { readonly found: readonly FoundEnvironment[]; readonly problems: readonly Problem[] } {
  const { folders, files, problems } = foldersIn(dir, ignored);
  const inFolder = ["environment.yaml", ...(withCode ? codeFiles : [])];
  const places = [
    ...folders.map((name) => ({ name, file: onlyFile(join(dir, name), inFolder) })),
    ...files
      .filter((file) => file.endsWith(".yaml"))
      .map((file) => ({ name: file.slice(0, -".yaml".length), path: join(dir, file) }))
      .map(({ name, path }) => ({ name, file: unreadable(path) ?? path })),
  ];
  const found = places.flatMap(({ name, file }) => (typeof file === "string" ? [{ name, file }] : []));
  const wrong = places.flatMap(({ file }) => (typeof file === "string" ? [] : [file]));
  const misnamed = files
    .filter((file) => file.endsWith(".yml"))
    .map((file) => ({
      place: join(dir, file),
      field: "",
      expected: "a name that ends in .yaml: .yml is not read",
    }));
  return { found, problems: [...problems, ...wrong, ...misnamed] };
}
