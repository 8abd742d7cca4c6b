export { briefOf } from "./brief.ts";
export { type GivenTask, givenTasks, solutionOf } from "./describe-problem.ts";
export { toolSpecs } from "./offer.ts";
export { costSoFar, type SolveDeps, solve } from "./solve.ts";
