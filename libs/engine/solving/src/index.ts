export { briefOf } from "./brief.ts";
export { toolSpecs } from "./offer.ts";
export { type SolveDeps, solve } from "./solve.ts";
