export {
  defineFault,
  type Fault,
  type FaultContext,
  type FaultStatus,
  type OracleName,
  type RightAction,
  targetOf,
} from "./fault.ts";
export { levels } from "./levels.ts";
export { eligibleTargets, planEpisodes } from "./plan.ts";
export { faults, findFault } from "./registry.ts";
