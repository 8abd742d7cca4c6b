export { builtInCatalogue } from "./built-in-catalogue.ts";
export type { Catalogue, Entries, Problems, Replaced } from "./catalogue.types.ts";
export { catalogueConfig } from "./catalogue-config.ts";
export { type CatalogueOptions, loadCatalogue } from "./load-catalogue.ts";
export { freeTargets } from "./problems/problem-issues.ts";
