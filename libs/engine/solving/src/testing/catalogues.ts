import { delimiter, resolve } from "node:path";
import { builtInCatalogue, loadCatalogue } from "@microremed/registry";

const dirs = (process.env["CATALOGUE_DIRS"] ?? "").split(delimiter).filter((dir) => dir !== "");

/** What comes with the product. */
export const builtIn = await builtInCatalogue();

/** The same and the entries of CATALOGUE_DIRS: what a proof must hold for. */
export const proven = dirs.length === 0 ? builtIn : await loadCatalogue({ dirs });

/** Directories whose entries are proven. */
export const provenDirs: readonly string[] = [
  resolve(import.meta.dirname, "../../../../catalogue"),
  ...dirs.map((dir) => resolve(dir)),
];
