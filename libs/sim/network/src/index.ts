export { createForwardPort } from "./forward-port.ts";
export { httpEffect, httpFaultsOn } from "./http-faults.ts";
export { type Link, linkBetween, loopbackLink } from "./link.ts";
export {
  createNetworkPolicies,
  type NetworkPolicies,
  outsideClient,
  type PolicyEnd,
} from "./network-policies.ts";
export { dnsFaultHits, resolveHost } from "./resolve-host.ts";
export {
  backends,
  createServiceDirectory,
  isNodeIp,
  podAt,
  type ServiceDirectory,
  type ServiceView,
} from "./service-directory.ts";
export {
  callLatency,
  carriedShare,
  type Latency,
  sampleEcho,
  sampleHandshake,
  sampleSegment,
} from "./tcp.ts";
