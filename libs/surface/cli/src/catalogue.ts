import { delimiter } from "node:path";
import { mayKeepData } from "@microremed/catalogue";
import { builtInCatalogue, type Catalogue, loadCatalogue } from "@microremed/registry";
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

/** Our entries and the user's, checked; a command that needs no suites goes on where one is wrong. Which of ours a user's replace, and what may be a store, is said on stderr. */
export async function catalogueOf(
  { terminal }: Pick<Context, "terminal">,
  { catalogue: dirs }: CatalogueOptions,
  { withoutSuites = false }: { readonly withoutSuites?: boolean } = {},
): Promise<Catalogue> {
  const loaded = await loadCatalogue({ dirs, withoutSuites });
  for (const { name, file, instead } of loaded.replaced)
    terminal.say(
      `environment ${name}: ${file} replaces the one that is ${instead === "built in" ? instead : `in ${instead}`}`,
    );
  if (dirs.length > 0) await warnOfStores(terminal, loaded);
  return loaded;
}

/** Of ours it is known which workloads keep data. */
async function warnOfStores(
  terminal: Context["terminal"],
  { environments, replaced }: Catalogue,
): Promise<void> {
  const theirs = new Set(replaced.map(({ name }) => name));
  const ours = (await builtInCatalogue()).environments.names.filter((name) => !theirs.has(name));
  for (const environment of environments.all().filter(({ name }) => !ours.includes(name)))
    for (const name of mayKeepData(environment)) {
      const image = environment.workloads[name]?.containers[0]?.image;
      terminal.say(
        `environment ${environment.name}: the image ${image} of ${name} is not known to keep data; declare keepsData (true or false), or a second replica with data of its own may pass for a repair`,
      );
    }
}
