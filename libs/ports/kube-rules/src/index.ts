export { inCidr } from "./cidr.ts";
export { holdsLabels, type LabelSelector, matchesSelector } from "./label-selector.ts";
export {
  type Policy,
  type PolicyEnd,
  type PolicyPod,
  type PolicyPort,
  type PolicySpec,
  type PolicyCluster,
  policyOf,
  refusedWay,
} from "./policy-rules.ts";
