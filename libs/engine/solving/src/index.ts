export { toolSpecs } from "./offer.ts";
export { mitigation, type SolvableTask } from "./solvable-task.ts";
export { canDo, type SolveDeps, solve } from "./solve.ts";
