export { briefOf } from "./brief.ts";
export { type GivenTask, givenTasks, solutionOf } from "./describe-problem.ts";
export { toolSpecs } from "./offer.ts";
export { costSoFar, type SolveDeps, type Solved, solve } from "./solve.ts";
export { secondsIn } from "./spent.ts";
