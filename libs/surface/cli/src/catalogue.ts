import { delimiter } from "node:path";
import { type Catalogue, loadCatalogue } from "@microremed/registry";
import { Option } from "commander";
import type { Context } from "./context.ts";

/** Commands that load entries have it. */
export interface CatalogueOptions {
  readonly catalogue: readonly string[];
}

/** `--catalogue <dir>`, which may be repeated. Default: what CATALOGUE_DIRS names. */
export function catalogueOption(context: Pick<Context, "env">): Option {
  const usual = catalogueDirsIn(context);
  return new Option(
    "--catalogue <dir>",
    "folder with your own entries, <kind>/<name>/; may be repeated. Their code runs with your rights",
  )
    .default(usual, usual.length === 0 ? "CATALOGUE_DIRS" : usual.join(", "))
    .argParser((value: string, before: readonly string[]) =>
      before === usual ? [value] : [...before, value],
    );
}

/** The folders that CATALOGUE_DIRS names. */
export function catalogueDirsIn({ env }: Pick<Context, "env">): string[] {
  return (env["CATALOGUE_DIRS"] ?? "").split(delimiter).filter((dir) => dir !== "");
}

/** Our entries and the user's, checked; which of ours a user's replace is said on stderr. */
export async function catalogueOf(
  { terminal }: Pick<Context, "terminal">,
  { catalogue: dirs }: CatalogueOptions,
): Promise<Catalogue> {
  const loaded = await loadCatalogue({ dirs });
  for (const { name, file, instead } of loaded.replaced)
    terminal.say(
      `environment ${name}: ${file} replaces the one that is ${instead === "built in" ? instead : `in ${instead}`}`,
    );
  return loaded;
}
