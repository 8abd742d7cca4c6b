export {
  defineFault,
  type Fault,
  type FaultContext,
  type FaultStatus,
  type OracleName,
  type RightAction,
  targetOf,
} from "./fault.ts";
export { hideTraces } from "./hide-traces.ts";
export { levels } from "./levels.ts";
export { eligibleTargets, planCases, planEpisodes } from "./plan.ts";
export { faults, findFault } from "./registry.ts";
export { isRightActionTaken, rightActionsIn } from "./right-action.ts";
