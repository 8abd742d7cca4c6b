import { existsSync, readFileSync, statSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/** Of a file or a folder: its size in bytes, 0 for a folder, and the time of its last change in ms since 1970. */
export type FileStamp = readonly [size: number, changedAt: number];

/**
 * `bundle.json` in the folder of a bundle. A bundle has the code of the repository and of the libraries in few files, without
 * types: a process that starts from it takes a third of the CPU that as many modules take. All paths are from the
 * repository's root, with `/`.
 */
export interface BundleRecord {
  /** Files of the bundle by the source files that can be started or imported on their own. */
  readonly files: Readonly<Record<string, string>>;
  /** What the bundle was made from. */
  readonly madeFrom: Readonly<Record<string, FileStamp>>;
}

/** Where bundles are, from the repository's root: a folder each, and the file `current` with the name of one. */
export const bundlesFolder = "node_modules/.cache/microremed-bundle";

// The bundler gives every module the place of its source, but for this one, which knows by its place where it is.
const here = import.meta.dirname;
const own: BundleRecord | undefined = readRecord(here);
const root = join(here, own ? "../../../.." : "../../..");

/**
 * The file from which a new process or thread runs the program in `source`, the URL of a source file: that of the bundle, if
 * all that it was made from is as it was, otherwise the source file itself. `npm run setup` makes the bundle.
 */
export function programOf(source: string | URL): string {
  const path = fileURLToPath(source);
  return (own ? fileIn(here, own, path) : fileIn(...currentBundle(root), path)) ?? path;
}

/** The URL from which this process imports a source file: the bundle's if it runs from it, so that nothing is there twice. */
export function moduleOf(source: string | URL): string {
  const file = own && fileIn(here, own, fileURLToPath(source));
  return file === undefined ? String(source) : pathToFileURL(file).href;
}

function fileIn(folder: string, record: BundleRecord | undefined, source: string): string | undefined {
  const file = record?.files[relative(root, source).replaceAll(sep, "/")];
  return file === undefined ? undefined : join(folder, file);
}

/** The folder and the record of the repository's bundle; without a record where there is none, or an old one. */
export function currentBundle(repository: string): [folder: string, record: BundleRecord | undefined] {
  const bundles = join(repository, bundlesFolder);
  const pointer = join(bundles, "current");
  const folder = existsSync(pointer) ? join(bundles, readFileSync(pointer, "utf8")) : bundles;
  const record = readRecord(folder);
  return [folder, record && isAsItWas(record, repository) ? record : undefined];
}

function readRecord(folder: string): BundleRecord | undefined {
  const file = join(folder, "bundle.json");
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
}

function isAsItWas({ madeFrom }: BundleRecord, repository: string): boolean {
  return Object.entries(madeFrom).every(([path, [size, changedAt]]) => {
    const now = stampOf(join(repository, path));
    return now?.[0] === size && now[1] === changedAt;
  });
}

/** The stamp of what is at a path; undefined where nothing is. */
export function stampOf(path: string): FileStamp | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  return found && [found.isDirectory() ? 0 : found.size, found.mtimeMs];
}
