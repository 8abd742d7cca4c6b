export { holdsLabels } from "./controllers/label-selector.ts";
export {
  type PolicyEnd,
  type PolicyPod,
  type PolicySpec,
  type PolicyWorld,
  policyOf,
  refusedWay,
} from "./network/policy-rules.ts";
