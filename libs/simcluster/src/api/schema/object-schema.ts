const object = (fields: string): string => `apiVersion kind metadata:ObjectMeta ${fields}`;
const claim = object("spec:PersistentVolumeClaimSpec status:any");

/** Metadata, the workload kinds and what belongs to them. Top-level kinds are keyed `group/Kind`. */
export const objectStructs: Readonly<Record<string, string>> = {
  ObjectMeta: `name generateName namespace selfLink uid resourceVersion generation:int creationTimestamp
    deletionTimestamp deletionGracePeriodSeconds:int labels:{}string annotations:{}string
    ownerReferences:[]OwnerReference finalizers:[]string managedFields:[]any`,
  OwnerReference: "apiVersion kind name uid controller:bool blockOwnerDeletion:bool",
  LabelSelector: "matchLabels:{}string matchExpressions:[]LabelSelectorRequirement",
  LabelSelectorRequirement: "key operator values:[]string",

  "/Pod": object("spec:PodSpec status:any"),
  "/Namespace": object("spec:NamespaceSpec status:any"),
  NamespaceSpec: "finalizers:[]string",
  "/ConfigMap": object("immutable:bool data:{}string binaryData:{}string"),
  "/Secret": object("immutable:bool data:{}string stringData:{}string type"),
  "/ServiceAccount": object(
    "secrets:[]ObjectReference imagePullSecrets:[]LocalObjectReference automountServiceAccountToken:bool",
  ),
  "/Service": object("spec:ServiceSpec status:any"),
  ServiceSpec: `ports:[]ServicePort selector:{}string clusterIP clusterIPs:[]string type externalIPs:[]string
    sessionAffinity loadBalancerIP loadBalancerSourceRanges:[]string externalName externalTrafficPolicy
    healthCheckNodePort:int publishNotReadyAddresses:bool sessionAffinityConfig:any ipFamilies:[]string
    ipFamilyPolicy allocateLoadBalancerNodePorts:bool loadBalancerClass internalTrafficPolicy
    trafficDistribution`,
  ServicePort: "name protocol appProtocol port:int targetPort:intstr nodePort:int",
  "/PersistentVolumeClaim": claim,
  PersistentVolumeClaim: claim,
  PersistentVolumeClaimSpec: `accessModes:[]string selector:LabelSelector resources:VolumeResourceRequirements
    volumeName storageClassName volumeMode dataSource:any dataSourceRef:any volumeAttributesClassName`,
  VolumeResourceRequirements: "limits:{}quantity requests:{}quantity",
  "/ResourceQuota": object("spec:ResourceQuotaSpec status:any"),
  ResourceQuotaSpec: "hard:{}quantity scopes:[]string scopeSelector:any",
  "/LimitRange": object("spec:LimitRangeSpec"),
  LimitRangeSpec: "limits:[]LimitRangeItem",
  LimitRangeItem:
    "type max:{}quantity min:{}quantity default:{}quantity defaultRequest:{}quantity maxLimitRequestRatio:{}quantity",

  "apps/Deployment": object("spec:DeploymentSpec status:any"),
  DeploymentSpec: `replicas:int selector:LabelSelector template:PodTemplateSpec strategy:DeploymentStrategy
    minReadySeconds:int revisionHistoryLimit:int paused:bool progressDeadlineSeconds:int`,
  DeploymentStrategy: "type rollingUpdate:RollingUpdateDeployment",
  RollingUpdateDeployment: "maxUnavailable:intstr maxSurge:intstr",
  "apps/ReplicaSet": object("spec:ReplicaSetSpec status:any"),
  ReplicaSetSpec: "replicas:int minReadySeconds:int selector:LabelSelector template:PodTemplateSpec",
  "apps/StatefulSet": object("spec:StatefulSetSpec status:any"),
  StatefulSetSpec: `replicas:int selector:LabelSelector template:PodTemplateSpec volumeClaimTemplates:[]PersistentVolumeClaim
    serviceName podManagementPolicy updateStrategy:StatefulSetUpdateStrategy revisionHistoryLimit:int
    minReadySeconds:int ordinals:StatefulSetOrdinals
    persistentVolumeClaimRetentionPolicy:StatefulSetPersistentVolumeClaimRetentionPolicy`,
  StatefulSetOrdinals: "start:int",
  StatefulSetPersistentVolumeClaimRetentionPolicy: "whenDeleted whenScaled",
  StatefulSetUpdateStrategy: "type rollingUpdate:RollingUpdateStatefulSetStrategy",
  RollingUpdateStatefulSetStrategy: "partition:int maxUnavailable:intstr",
  "apps/DaemonSet": object("spec:DaemonSetSpec status:any"),
  DaemonSetSpec: `selector:LabelSelector template:PodTemplateSpec updateStrategy:DaemonSetUpdateStrategy
    minReadySeconds:int revisionHistoryLimit:int`,
  DaemonSetUpdateStrategy: "type rollingUpdate:RollingUpdateDeployment",
  "batch/Job": object("spec:JobSpec status:any"),
  JobSpec: `parallelism:int completions:int activeDeadlineSeconds:int podFailurePolicy:any successPolicy:any
    backoffLimit:int backoffLimitPerIndex:int maxFailedIndexes:int selector:LabelSelector manualSelector:bool
    template:PodTemplateSpec ttlSecondsAfterFinished:int completionMode suspend:bool podReplacementPolicy
    managedBy`,
  "batch/CronJob": object("spec:CronJobSpec status:any"),
  CronJobSpec: `schedule timeZone startingDeadlineSeconds:int concurrencyPolicy suspend:bool
    jobTemplate:JobTemplateSpec successfulJobsHistoryLimit:int failedJobsHistoryLimit:int`,
  JobTemplateSpec: "metadata:ObjectMeta spec:JobSpec",

  "rbac.authorization.k8s.io/Role": object("rules:[]PolicyRule"),
  "rbac.authorization.k8s.io/ClusterRole": object("rules:[]PolicyRule aggregationRule:any"),
  PolicyRule:
    "verbs:[]string apiGroups:[]string resources:[]string resourceNames:[]string nonResourceURLs:[]string",
  "rbac.authorization.k8s.io/RoleBinding": object("subjects:[]Subject roleRef:RoleRef"),
  "rbac.authorization.k8s.io/ClusterRoleBinding": object("subjects:[]Subject roleRef:RoleRef"),
  Subject: "kind apiGroup name namespace",
  RoleRef: "apiGroup kind name",
};
