import type { ResourceRef } from "./objects.ts";

const core = (resource: string): ResourceRef => ({ group: "", resource });
const apps = (resource: string): ResourceRef => ({ group: "apps", resource });
const batch = (resource: string): ResourceRef => ({ group: "batch", resource });

/** The kinds that the cluster's own components read and write. */
export const resources = {
  namespaces: core("namespaces"),
  nodes: core("nodes"),
  pods: core("pods"),
  replicationControllers: core("replicationcontrollers"),
  services: core("services"),
  endpoints: core("endpoints"),
  configMaps: core("configmaps"),
  secrets: core("secrets"),
  serviceAccounts: core("serviceaccounts"),
  persistentVolumeClaims: core("persistentvolumeclaims"),
  persistentVolumes: core("persistentvolumes"),
  events: core("events"),
  deployments: apps("deployments"),
  replicaSets: apps("replicasets"),
  statefulSets: apps("statefulsets"),
  daemonSets: apps("daemonsets"),
  controllerRevisions: apps("controllerrevisions"),
  jobs: batch("jobs"),
  cronJobs: batch("cronjobs"),
  horizontalPodAutoscalers: { group: "autoscaling", resource: "horizontalpodautoscalers" },
  endpointSlices: { group: "discovery.k8s.io", resource: "endpointslices" },
  storageClasses: { group: "storage.k8s.io", resource: "storageclasses" },
  priorityClasses: { group: "scheduling.k8s.io", resource: "priorityclasses" },
  networkPolicies: { group: "networking.k8s.io", resource: "networkpolicies" },
  podDisruptionBudgets: { group: "policy", resource: "poddisruptionbudgets" },
  certificateSigningRequests: { group: "certificates.k8s.io", resource: "certificatesigningrequests" },
  leases: { group: "coordination.k8s.io", resource: "leases" },
} as const satisfies Record<string, ResourceRef>;
