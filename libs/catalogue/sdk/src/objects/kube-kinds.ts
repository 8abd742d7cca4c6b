/** Kinds that answers and ground truths name, each with the other names under which kubectl takes it. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  ConfigMap: ["configmaps", "cm"],
  CronJob: ["cronjobs", "cj"],
  DaemonSet: ["daemonsets", "ds"],
  Deployment: ["deployments", "deploy"],
  Endpoints: ["ep"],
  EndpointSlice: ["endpointslices"],
  HorizontalPodAutoscaler: ["horizontalpodautoscalers", "hpa"],
  Ingress: ["ingresses", "ing"],
  Job: ["jobs"],
  LimitRange: ["limitranges", "limits"],
  MutatingWebhookConfiguration: ["mutatingwebhookconfigurations"],
  Namespace: ["namespaces", "ns"],
  NetworkPolicy: ["networkpolicies", "netpol"],
  Node: ["nodes", "no"],
  PersistentVolume: ["persistentvolumes", "pv"],
  PersistentVolumeClaim: ["persistentvolumeclaims", "pvc"],
  Pod: ["pods", "po"],
  PodDisruptionBudget: ["poddisruptionbudgets", "pdb"],
  PriorityClass: ["priorityclasses", "pc"],
  ReplicaSet: ["replicasets", "rs"],
  ResourceQuota: ["resourcequotas", "quota"],
  Role: ["roles"],
  RoleBinding: ["rolebindings"],
  ClusterRole: ["clusterroles"],
  ClusterRoleBinding: ["clusterrolebindings"],
  Secret: ["secrets"],
  Service: ["services", "svc"],
  ServiceAccount: ["serviceaccounts", "sa"],
  StatefulSet: ["statefulsets", "sts"],
  StorageClass: ["storageclasses", "sc"],
  ValidatingWebhookConfiguration: ["validatingwebhookconfigurations"],
};

const byName: ReadonlyMap<string, string> = new Map(
  Object.entries(otherNames).flatMap(([kind, names]) =>
    [kind.toLowerCase(), ...names].map((name) => [name, kind]),
  ),
);

const withoutNamespace: ReadonlySet<string> = new Set([
  "APIService",
  "CSIDriver",
  "ClusterRole",
  "ClusterRoleBinding",
  "CustomResourceDefinition",
  "IngressClass",
  "MutatingWebhookConfiguration",
  "Namespace",
  "Node",
  "PersistentVolume",
  "PriorityClass",
  "RuntimeClass",
  "StorageClass",
  "ValidatingAdmissionPolicy",
  "ValidatingAdmissionPolicyBinding",
  "ValidatingWebhookConfiguration",
  "VolumeAttachment",
]);

/** The kind that is meant, read as kubectl reads it: `deploy`, `deployments.apps`, `apps/v1/Deployment` and `Deployment` are one. */
export function kubeKind(text: string): string {
  const [resource = ""] = (text.trim().toLowerCase().split("/").at(-1) ?? "").split(".");
  return byName.get(resource) ?? resource;
}

/** Whether objects of a kind, as `kubeKind` has it, lie in a namespace. */
export function isNamespaced(kind: string): boolean {
  return !withoutNamespace.has(kind);
}
