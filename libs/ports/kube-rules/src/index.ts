export { inCidr } from "./cidr.ts";
export {
  type CorefileDirective,
  corefileWithout,
  isInZone,
  type NamingPart,
  parseCorefile,
  partsNaming,
  type ServerBlock,
} from "./corefile.ts";
export {
  holdsLabels,
  type LabelRequirement,
  type LabelSelector,
  matchesSelector,
  meetsRequirement,
} from "./label-selector.ts";
export { namePattern } from "./name-pattern.ts";
export {
  enforcedPodSecurity,
  type PodSecurityLevel,
  podSecurityViolations,
  type SecuredPod,
} from "./pod-security.ts";
export {
  type Policy,
  type PolicyCluster,
  type PolicyEnd,
  type PolicyPod,
  type PolicyPort,
  type PolicySpec,
  policyOf,
  refusedWay,
} from "./policy-rules.ts";
export { formatQuantity, parseQuantity } from "./quantity.ts";
export { podNamePattern, workloadInName } from "./workload-in-name.ts";
