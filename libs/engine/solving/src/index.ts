export { toolSpecs } from "./offer.ts";
export { canDo, type SolveDeps, solve } from "./solve.ts";
