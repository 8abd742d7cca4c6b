import type {
  Chaos,
  EndpointSlice,
  Endpoints,
  Event,
  Kind,
  KubeObject,
  Pod,
  Service,
  Workload,
} from "./kube-object.ts";

function kind<T extends KubeObject = KubeObject>(apiVersion: string, name: string): Kind<T> {
  return { apiVersion, kind: name };
}

/** The kinds that the product works with. */
export const kinds = {
  namespace: kind("v1", "Namespace"),
  pod: kind<Pod>("v1", "Pod"),
  service: kind<Service>("v1", "Service"),
  endpoints: kind<Endpoints>("v1", "Endpoints"),
  event: kind<Event>("v1", "Event"),
  configMap: kind("v1", "ConfigMap"),
  secret: kind("v1", "Secret"),
  persistentVolumeClaim: kind("v1", "PersistentVolumeClaim"),
  serviceAccount: kind("v1", "ServiceAccount"),
  deployment: kind<Workload>("apps/v1", "Deployment"),
  statefulSet: kind<Workload>("apps/v1", "StatefulSet"),
  daemonSet: kind<Workload>("apps/v1", "DaemonSet"),
  replicaSet: kind<Workload>("apps/v1", "ReplicaSet"),
  controllerRevision: kind("apps/v1", "ControllerRevision"),
  replicationController: kind("v1", "ReplicationController"),
  job: kind("batch/v1", "Job"),
  cronJob: kind("batch/v1", "CronJob"),
  horizontalPodAutoscaler: kind("autoscaling/v2", "HorizontalPodAutoscaler"),
  podDisruptionBudget: kind("policy/v1", "PodDisruptionBudget"),
  resourceQuota: kind("v1", "ResourceQuota"),
  limitRange: kind("v1", "LimitRange"),
  endpointSlice: kind<EndpointSlice>("discovery.k8s.io/v1", "EndpointSlice"),
  node: kind("v1", "Node"),
  customResourceDefinition: kind("apiextensions.k8s.io/v1", "CustomResourceDefinition"),
  mutatingWebhook: kind("admissionregistration.k8s.io/v1", "MutatingWebhookConfiguration"),
  validatingWebhook: kind("admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration"),
  networkPolicy: kind("networking.k8s.io/v1", "NetworkPolicy"),
  ingress: kind("networking.k8s.io/v1", "Ingress"),
  role: kind("rbac.authorization.k8s.io/v1", "Role"),
  roleBinding: kind("rbac.authorization.k8s.io/v1", "RoleBinding"),
  clusterRole: kind("rbac.authorization.k8s.io/v1", "ClusterRole"),
  clusterRoleBinding: kind("rbac.authorization.k8s.io/v1", "ClusterRoleBinding"),
  stressChaos: kind<Chaos>("chaos-mesh.org/v1alpha1", "StressChaos"),
  networkChaos: kind<Chaos>("chaos-mesh.org/v1alpha1", "NetworkChaos"),
  ioChaos: kind<Chaos>("chaos-mesh.org/v1alpha1", "IOChaos"),
  podChaos: kind<Chaos>("chaos-mesh.org/v1alpha1", "PodChaos"),
  dnsChaos: kind<Chaos>("chaos-mesh.org/v1alpha1", "DNSChaos"),
  timeChaos: kind<Chaos>("chaos-mesh.org/v1alpha1", "TimeChaos"),
  httpChaos: kind<Chaos>("chaos-mesh.org/v1alpha1", "HTTPChaos"),
  jvmChaos: kind<Chaos>("chaos-mesh.org/v1alpha1", "JVMChaos"),
  kernelChaos: kind<Chaos>("chaos-mesh.org/v1alpha1", "KernelChaos"),
  blockChaos: kind<Chaos>("chaos-mesh.org/v1alpha1", "BlockChaos"),
  physicalMachineChaos: kind<Chaos>("chaos-mesh.org/v1alpha1", "PhysicalMachineChaos"),
  awsChaos: kind<Chaos>("chaos-mesh.org/v1alpha1", "AWSChaos"),
  azureChaos: kind<Chaos>("chaos-mesh.org/v1alpha1", "AzureChaos"),
  gcpChaos: kind<Chaos>("chaos-mesh.org/v1alpha1", "GCPChaos"),
  podNetworkChaos: kind<Chaos>("chaos-mesh.org/v1alpha1", "PodNetworkChaos"),
  podIoChaos: kind<Chaos>("chaos-mesh.org/v1alpha1", "PodIOChaos"),
  podHttpChaos: kind<Chaos>("chaos-mesh.org/v1alpha1", "PodHttpChaos"),
  chaosWorkflowNode: kind("chaos-mesh.org/v1alpha1", "WorkflowNode"),
  chaosStatusCheck: kind("chaos-mesh.org/v1alpha1", "StatusCheck"),
  chaosSchedule: kind("chaos-mesh.org/v1alpha1", "Schedule"),
  chaosWorkflow: kind("chaos-mesh.org/v1alpha1", "Workflow"),
} as const;

/** All kinds of Chaos Mesh that may hold a fault, schedulers of faults first. */
export const chaosKinds: readonly Kind<Chaos>[] = [
  kinds.chaosWorkflow,
  kinds.chaosSchedule,
  kinds.chaosWorkflowNode,
  kinds.chaosStatusCheck,
  kinds.stressChaos,
  kinds.networkChaos,
  kinds.ioChaos,
  kinds.podChaos,
  kinds.dnsChaos,
  kinds.timeChaos,
  kinds.httpChaos,
  kinds.jvmChaos,
  kinds.kernelChaos,
  kinds.blockChaos,
  kinds.physicalMachineChaos,
  kinds.awsChaos,
  kinds.azureChaos,
  kinds.gcpChaos,
];

/**
 * Kinds through which Chaos Mesh gives the daemon of a node its rules for one pod, whose name they have. An object
 * without rules stays after a fault and does nothing.
 */
export const chaosRuleKinds: readonly Kind<Chaos>[] = [
  kinds.podNetworkChaos,
  kinds.podIoChaos,
  kinds.podHttpChaos,
];

/** What an agent's commands change and can be put back. Pods follow from the others; Secrets stay out of records. */
export const putBackKinds: readonly Kind[] = [
  kinds.deployment,
  kinds.statefulSet,
  kinds.daemonSet,
  kinds.service,
  kinds.configMap,
  kinds.networkPolicy,
  kinds.ingress,
  kinds.horizontalPodAutoscaler,
  kinds.podDisruptionBudget,
  kinds.job,
  kinds.cronJob,
];

const clusterScoped = new Set([
  "Namespace",
  "Node",
  "PersistentVolume",
  "ClusterRole",
  "ClusterRoleBinding",
  "StorageClass",
  "PriorityClass",
  "CustomResourceDefinition",
  "MutatingWebhookConfiguration",
  "ValidatingWebhookConfiguration",
]);

/** Kubernetes' plural of a kind: chaos kinds, Endpoints and what the metrics API measures have their own. */
function pluralOf(name: string): string {
  const lower = name.toLowerCase();
  const measured = /^(node|pod)metrics$/.exec(lower)?.[1];
  if (measured !== undefined) return `${measured}s`;
  if (lower === "endpoints" || lower.endsWith("chaos")) return lower;
  if (lower.endsWith("s")) return `${lower}es`;
  return /[^aeiou]y$/.test(lower) ? `${lower.slice(0, -1)}ies` : `${lower}s`;
}

/** Path of a collection or, with a name, of one object on the API server. `namespace` undefined: all namespaces. */
export function pathOf(of: Kind, namespace: string | undefined, name?: string): string {
  const root = of.apiVersion.includes("/") ? `/apis/${of.apiVersion}` : `/api/${of.apiVersion}`;
  const scope =
    namespace === undefined || clusterScoped.has(of.kind)
      ? ""
      : `/namespaces/${encodeURIComponent(namespace)}`;
  const tail = name === undefined ? "" : `/${encodeURIComponent(name)}`;
  return `${root}${scope}/${pluralOf(of.kind)}${tail}`;
}
