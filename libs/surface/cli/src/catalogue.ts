import { delimiter } from "node:path";
import { type Catalogue, loadCatalogue } from "@microremed/registry";
import { Option } from "commander";
import type { Context } from "./context.ts";

/** Commands that load entries have it. */
export interface CatalogueOptions {
  readonly catalogue: readonly string[];
}

/** `--catalogue <dir>`, which may be repeated. Default: what CATALOGUE_DIRS names. */
export function catalogueOption({ env }: Pick<Context, "env">): Option {
  const usual = (env["CATALOGUE_DIRS"] ?? "").split(delimiter).filter((dir) => dir !== "");
  return new Option(
    "--catalogue <dir>",
    "folder with entries of your own, <kind>/<name>/; may be repeated. Their code runs with your rights",
  )
    .default(usual, usual.length === 0 ? "CATALOGUE_DIRS" : usual.join(", "))
    .argParser((value: string, before: readonly string[]) =>
      before === usual ? [value] : [...before, value],
    );
}

/** Our entries and the user's, checked. */
export function catalogueOf({ catalogue }: CatalogueOptions): Promise<Catalogue> {
  return loadCatalogue({ dirs: catalogue });
}
