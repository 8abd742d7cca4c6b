export { formatQuantity, parseQuantity } from "@microremed/kube-rules";
export { type HostPort, hostPortsOf } from "./host-ports.ts";
export { jsonEqual } from "./json-equal.ts";
export { keyOf, splitKey } from "./keys.ts";
export { isRecord, type Loose, type LooseRecord } from "./loose.ts";
export type { MetricsProvider, NodeMetrics, PodMetrics, Usage } from "./metrics.types.ts";
export {
  allocatable,
  meetsAffinity,
  meetsTerms,
  type NodeSelectorTerm,
  type NodeUse,
  preferredNodes,
  reasonsAgainst,
  type Taint,
  type Toleration,
  tolerates,
  toleratesAll,
} from "./node-filters.ts";
export type { Json, KubeObject, NewObject, ObjectMeta, OwnerReference, ResourceRef } from "./objects.ts";
export { podRequests, type Requests, requestOf } from "./pod-requests.ts";
export {
  isActive,
  isAvailable,
  isFinished,
  isReady,
  isTerminating,
  readySince,
  restartsOf,
} from "./pod-state.ts";
export { maxNamePrefix, randomSuffix, safeEncode } from "./random-suffix.ts";
export { hasGeneration, hasStatusSubresource } from "./resource-traits.ts";
export { resources } from "./resources.ts";
export {
  alreadyExists,
  badRequest,
  conflict,
  expired,
  forbidden,
  invalid,
  modifiedSinceRead,
  notFound,
  qualified,
  type StatusCause,
  StatusError,
  toStatus,
} from "./status-error.ts";
