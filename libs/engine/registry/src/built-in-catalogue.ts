import type { Catalogue } from "./catalogue.types.ts";
import { loadCatalogue } from "./load-catalogue.ts";

let loaded: Promise<Catalogue> | undefined;

/** What comes with the product, read once in a process: for tests and small tools. */
export function builtInCatalogue(): Promise<Catalogue> {
  loaded ??= loadCatalogue();
  return loaded;
}
