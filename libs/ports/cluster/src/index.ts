export { parseQuantity } from "@microremed/kube-rules";
export {
  accountsNamespace,
  arenaLabel,
  harnessNamespace,
  labelsOf,
  managedLabels,
  nameServerConfig,
  operatorsQuota,
  operatorsRoles,
  webhooksOf,
} from "./agent-objects.ts";
export type * from "./cluster.types.ts";
export { isRefused } from "./cluster-errors.ts";
export type { Clusters } from "./clusters.types.ts";
export {
  type CustomResource,
  customResourcesAnnotation,
  customResourcesOf,
} from "./custom-resources.ts";
export { asReplicas } from "./daemon-set.ts";
export { fenceCluster } from "./fence-cluster.ts";
export { hasCondition } from "./has-condition.ts";
export { chaosKinds, chaosRuleKinds, kinds, pathOf, putBackKinds } from "./kinds.ts";
export type * from "./kube-object.ts";
export { endRunAccess } from "./run-access.ts";
export { scopePromql } from "./scope-promql.ts";
