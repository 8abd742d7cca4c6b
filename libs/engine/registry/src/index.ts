export { builtInCatalogue } from "./built-in-catalogue.ts";
export type { Catalogue, Entries } from "./catalogue.types.ts";
export { type CatalogueOptions, loadCatalogue } from "./load-catalogue.ts";
