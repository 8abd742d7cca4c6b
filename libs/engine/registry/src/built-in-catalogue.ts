import type { Catalogue } from "./catalogue.types.ts";
import { loadCatalogue } from "./load-catalogue.ts";

/** What comes with the product: for tests and small tools. */
export const builtInCatalogue = (): Promise<Catalogue> => loadCatalogue();
