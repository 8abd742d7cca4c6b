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
export { eligibleTargets, type Plan, planCases, planEpisodes, planOf } from "./plan.ts";
export { faults, findFault } from "./registry.ts";
export { isRightActionTaken, rightActionsIn } from "./right-action.ts";
